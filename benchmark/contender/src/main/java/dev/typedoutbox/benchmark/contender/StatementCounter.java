package dev.typedoutbox.benchmark.contender;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Counts the statements that go through a data source, each row of a JDBC batch as one, commits and rollbacks not. It has
 * its price, so it is used in runs of its own that nobody measures.
 *
 * <p>Safe for use by several threads.
 */
public final class StatementCounter {
    private final AtomicLong count = new AtomicLong();

    /** Makes a counter that stands at 0. */
    public StatementCounter() {}

    /**
     * Tells how many statements there were.
     *
     * @return the count
     */
    public long count() {
        return count.get();
    }

    /** Begins again at 0. */
    public void reset() {
        count.set(0);
    }

    /**
     * Gives the same data source, counted.
     *
     * @param dataSource the data source
     * @return the proxy
     */
    public DataSource count(DataSource dataSource) {
        return proxy(DataSource.class, dataSource);
    }

    private <T> T proxy(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                StatementCounter.class.getClassLoader(), new Class<?>[] {type}, handler(target)));
    }

    private InvocationHandler handler(Object target) {
        return (proxy, method, arguments) -> {
            if (target instanceof Statement && isExecution(method)) {
                count.incrementAndGet();
            }
            try {
                return counted(method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }

    private static boolean isExecution(Method method) {
        String name = method.getName();
        return name.equals("addBatch") || (name.startsWith("execute") && !name.contains("Batch"));
    }

    private Object counted(Object result) {
        if (result instanceof CallableStatement statement) {
            return proxy(CallableStatement.class, statement);
        }
        if (result instanceof PreparedStatement statement) {
            return proxy(PreparedStatement.class, statement);
        }
        if (result instanceof Statement statement) {
            return proxy(Statement.class, statement);
        }
        return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
    }
}
