package dev.typedoutbox.relay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Gives each statement another session, as a pooler in transaction mode may do, and is not in one between them. */
final class SessionSwappingDataSource extends DelegatingDataSource implements AutoCloseable {
    private static final Set<String> STATEMENTS = Set.of("createStatement", "prepareStatement");

    private final List<Connection> sessions = new ArrayList<>();
    private final AtomicInteger statements = new AtomicInteger();

    SessionSwappingDataSource(DataSource server) throws SQLException {
        super(server);
        for (int i = 0; i < 3; i++) {
            sessions.add(server.getConnection());
        }
    }

    boolean hasServedStatements() {
        return statements.get() > 3;
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    int session = STATEMENTS.contains(method.getName()) ? 1 + statements.incrementAndGet() % 2 : 0;
                    try {
                        return method.invoke(sessions.get(session), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void close() throws SQLException {
        for (Connection session : sessions) {
            session.close();
        }
    }
}
