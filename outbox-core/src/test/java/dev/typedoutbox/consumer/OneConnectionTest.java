package dev.typedoutbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.ApplyOutcome.Kind;
import dev.typedoutbox.support.OutboxDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A consumer whose pool has one connection, and keeps even a broken one until it is given back. */
class OneConnectionTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final EventHandler END_THE_SESSION = (tx, event) -> {
        if (event.aggregateId().equals("1")) {
            tx.execute("select pg_terminate_backend(pg_backend_pid())");
        }
    };

    private final AtomicBoolean reachable = new AtomicBoolean(true);
    private final AtomicBoolean taken = new AtomicBoolean();
    private final IdempotentConsumer consumer = IdempotentConsumer.create(pool(), "shipping", END_THE_SESSION);

    @Test
    void eventThatEndsItsSessionEachTimeIsAtFault() {
        assertThat(consumer.applyAll(List.of(event("0"), event("1"), event("2"))))
                .extracting(ApplyOutcome::kind)
                .containsExactly(Kind.APPLIED, Kind.FAILED, Kind.APPLIED);
        assertThat(taken).isFalse();
    }

    @Test
    void databaseThatIsGoneWhenTheSessionEndsIsNoFaultOfTheEvents() {
        IdempotentConsumer last = IdempotentConsumer.create(pool(), "shipping", (tx, event) -> {
            reachable.set(false);
            END_THE_SESSION.handle(tx, event);
        });
        List<OutboxEvent> events = List.of(event("1"));
        assertThatThrownBy(() -> last.applyAll(events))
                .isInstanceOf(DatabaseLostException.class)
                .isInstanceOf(DataAccessException.class)
                .hasMessageStartingWith("event " + events.get(0).id() + " could not be applied: ");
        assertThat(taken).isFalse();
    }

    private DataSource pool() {
        return new DelegatingDataSource(DATABASE.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (!reachable.get() || !taken.compareAndSet(false, true)) {
                    throw new SQLTransientConnectionException("no connection to spare");
                }
                return pooled(super.getConnection());
            }
        };
    }

    private Connection pooled(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        taken.set(false);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static OutboxEvent event(String aggregateId) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", aggregateId, 1)
                .build();
    }
}
