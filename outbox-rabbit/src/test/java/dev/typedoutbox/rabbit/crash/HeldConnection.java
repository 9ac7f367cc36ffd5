package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A connection that knows by the statements which step the relay is at. */
final class HeldConnection implements InvocationHandler {
    private final Connection connection;
    private final Hold hold;
    private final AtomicBoolean published;
    private boolean locked;

    private HeldConnection(Connection connection, Hold hold, AtomicBoolean published) {
        this.connection = connection;
        this.hold = hold;
        this.published = published;
    }

    /** A data source of such connections; {@code published} is set by whoever sees the relay publish. */
    static DataSource of(DataSource dataSource, Hold hold, AtomicBoolean published) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Object result = call(dataSource, method, arguments);
            return result instanceof Connection connection
                    ? proxy(Connection.class, new HeldConnection(connection, hold, published))
                    : result;
        });
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        switch (method.getName()) {
            case "prepareStatement" -> prepares(arguments == null ? "" : String.valueOf(arguments[0]));
            case "commit" -> {
                return commit(method);
            }
            default -> {}
        }
        return call(connection, method, arguments);
    }

    /** The next statement after the lock comes only when slots were got. */
    private void prepares(String sql) {
        if (locked) {
            hold.at(Step.AFTER_LOCK);
        }
        locked = sql.contains("pg_try_advisory_xact_lock");
    }

    private @Nullable Object commit(Method method) throws Throwable {
        locked = false;
        if (!published.getAndSet(false)) {
            return call(connection, method, null);
        }
        hold.at(Step.BEFORE_COMMIT);
        Object result = call(connection, method, null);
        hold.at(Step.AFTER_COMMIT);
        return result;
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
