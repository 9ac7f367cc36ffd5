package dev.typedoutbox.relay;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Looks on while a relay asks for events, or somebody for the status: keeps the plan of the first query of each kind on the
 * outbox, in the very transaction that it runs in. Safe for use by several threads.
 */
public final class Plans {
    private final Map<String, String> plans = new ConcurrentHashMap<>();

    public DataSource watch(DataSource dataSource) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Object result = call(dataSource, method, arguments);
            return result instanceof Connection connection ? watch(connection) : result;
        });
    }

    /** The plans as PostgreSQL explains them. */
    public List<String> plans() {
        return List.copyOf(plans.values());
    }

    private Connection watch(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = call(connection, method, arguments);
            boolean query = arguments != null && isQuery(String.valueOf(arguments[0]));
            return query && result instanceof PreparedStatement statement
                    ? watch(connection, statement, String.valueOf(arguments[0]))
                    : result;
        });
    }

    private PreparedStatement watch(Connection connection, PreparedStatement statement, String sql) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            if (!method.getName().startsWith("execute")) {
                return call(statement, method, arguments);
            }
            if (plans.putIfAbsent(sql, "") == null) {
                plans.put(sql, explain(connection, statement.toString()));
            }
            return call(statement, method, arguments);
        });
    }

    private static boolean isQuery(String sql) {
        return (sql.startsWith("select") || sql.startsWith("with")) && sql.contains("outbox_events");
    }

    /** The driver writes a statement with its parameters as text. */
    private static String explain(Connection connection, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("explain " + sql)) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
