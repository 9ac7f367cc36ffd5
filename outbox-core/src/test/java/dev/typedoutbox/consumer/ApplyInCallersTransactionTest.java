package dev.typedoutbox.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.support.OutboxDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Events that are applied in a transaction of the caller's: it alone commits, and it survives a failure. */
@Timeout(60)
class ApplyInCallersTransactionTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final EventHandler SHIP = (tx, event) -> tx.execute("insert into shipments values ('x')");

    private final OutboxEvent event = anEvent();

    @BeforeAll
    static void createTheHandlersTable() {
        DATABASE.execute("create table shipments (note text)");
    }

    @BeforeEach
    void empty() {
        DATABASE.empty();
        DATABASE.execute("truncate shipments");
    }

    @ParameterizedTest
    @EnumSource
    void recordAndWorkCommitWithTheCallerAndADuplicateIsNoError(CallersWay way) {
        way.inTransaction(DATABASE, apply -> {
            assertThat(apply.with(consumer(SHIP), event)).isEqualTo(Applied.APPLIED);
            assertThat(apply.with(consumer(SHIP), event)).isEqualTo(Applied.DUPLICATE);
            assertThat(shipments()).isZero();
        });

        assertThat(shipments()).isEqualTo(1);
        assertThat(consumer(SHIP).apply(event)).isEqualTo(Applied.DUPLICATE);
        way.inTransaction(
                DATABASE, apply -> assertThat(apply.with(consumer(SHIP), event)).isEqualTo(Applied.DUPLICATE));
        assertThat(shipments()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void rollbackOfTheCallerTakesBothBack(CallersWay way) {
        assertThatThrownBy(() -> way.inTransaction(DATABASE, apply -> {
                    apply.with(consumer(SHIP), event);
                    throw new IllegalStateException("the caller thinks again");
                }))
                .hasMessage("the caller thinks again");

        assertThat(shipments()).isZero();
        assertThat(records()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void failureThatTheCallerSwallowsLeavesNothingAndTheTransactionGoesOn(CallersWay way) {
        IdempotentConsumer failing = consumer((tx, received) -> {
            SHIP.handle(tx, received);
            throw new IllegalStateException("no stock");
        });

        way.inTransaction(DATABASE, apply -> {
            apply.with(consumer(SHIP), anEvent());
            assertThatThrownBy(() -> apply.with(failing, event)).hasMessage("no stock");
            apply.with(consumer(SHIP), anEvent());
        });

        assertThat(shipments()).isEqualTo(2);
        assertThat(records()).isEqualTo(2);
        assertThat(consumer(SHIP).apply(event)).isEqualTo(Applied.APPLIED);
    }

    @Test
    void sqlErrorOfTheHandlerDoesNotAbortTheCallersTransaction() {
        DATABASE.dsl().transaction((Configuration tx) -> {
            assertThatThrownBy(() -> consumer((handed, received) -> handed.execute("select 1 / 0"))
                            .apply(tx, event))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("division by zero");
            consumer(SHIP).apply(tx, anEvent());
        });

        assertThat(shipments()).isEqualTo(1);
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void handlerThatSwallowsASqlErrorIsToldAndTheCallersTransactionGoesOn() {
        IdempotentConsumer swallowing = consumer((handed, received) -> {
            SHIP.handle(handed, received);
            assertThatThrownBy(() -> handed.execute("select 1 / 0")).isInstanceOf(DataAccessException.class);
        });

        DATABASE.dsl().transaction((Configuration tx) -> {
            assertThatThrownBy(() -> swallowing.apply(tx, event))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("(was aborted by an error)");
            consumer(SHIP).apply(tx, anEvent());
        });

        assertThat(shipments()).isEqualTo(1);
        assertThat(records()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rollback", "commit"})
    void handlerThatEndsTheTransactionIsTold(String end) throws Exception {
        try (Connection tx = transaction()) {
            assertThatThrownBy(() ->
                            consumer((handed, received) -> handed.execute(end)).apply(tx, event))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("(was ended)");
        }
    }

    @Test
    void callerCannotGoOnInATransactionThatTheHandlerBeganInsteadOfIts() throws Exception {
        IdempotentConsumer beginning = consumer((handed, received) -> {
            handed.execute("rollback");
            SHIP.handle(handed, received);
        });

        try (Connection tx = transaction()) {
            assertThatThrownBy(() -> beginning.apply(tx, event))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("(was ended)");
            assertThatThrownBy(() -> consumer(SHIP).apply(tx, anEvent()))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("current transaction is aborted");
            tx.commit();
        }
        assertThat(shipments()).isZero();
    }

    @Test
    void checkedExceptionsOfTheHandlerAreWrapped() throws Exception {
        try (Connection tx = transaction()) {
            assertThatThrownBy(() -> consumer((handed, received) -> {
                                throw new IOException("no printer");
                            })
                            .apply(tx, event))
                    .isInstanceOf(HandlerException.class)
                    .hasMessage("event " + event.id() + " could not be applied: no printer");
            assertThatThrownBy(() -> consumer((handed, received) -> {
                                throw new SQLException("gone");
                            })
                            .apply(tx, event))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessage("event " + event.id() + " could not be applied: gone");
        }
    }

    @Test
    void transactionThatTheHandlerOpensIsPartOfTheCallers() {
        IdempotentConsumer nesting = consumer(
                (handed, received) -> handed.transaction((Configuration tx) -> SHIP.handle(tx.dsl(), received)));

        DATABASE.dsl().transaction((Configuration tx) -> {
            assertThat(nesting.apply(tx, event)).isEqualTo(Applied.APPLIED);
            assertThat(shipments()).isZero();
        });

        assertThat(shipments()).isEqualTo(1);
    }

    @Test
    void savepointsOfFailuresDoNotPileUp() throws Exception {
        IdempotentConsumer failing = consumer((handed, received) -> {
            throw new IllegalStateException("no stock");
        });
        try (Connection tx = transaction();
                Statement statement = tx.createStatement()) {
            Savepoint before = tx.setSavepoint();
            assertThatThrownBy(() -> failing.apply(tx, event)).hasMessage("no stock");
            // The driver numbers its savepoints, and so ours is the next one.
            assertThat(tx.setSavepoint().getSavepointId()).isEqualTo(before.getSavepointId() + 2);
            String ours = "JDBC_SAVEPOINT_" + (before.getSavepointId() + 1);
            assertThatThrownBy(() -> statement.execute("release savepoint " + ours))
                    .hasMessageContaining("does not exist");
        }
    }

    @Test
    void handlerHasTheSettingsAndListenersOfTheCallersJooqAndNotOurMapping() {
        OutboxSchema.migrate(DATABASE.dataSource(), "Order Outbox");
        List<String> heard = new ArrayList<>();
        DSLContext callers = DSL.using(new DefaultConfiguration()
                .set(DATABASE.dataSource())
                .set(SQLDialect.POSTGRES)
                .set(new Settings().withExecuteLogging(false).withRenderKeywordCase(RenderKeywordCase.UPPER))
                .set(ExecuteListener.onExecuteStart((ExecuteContext context) -> heard.add(context.sql()))));
        EventHandler handler = (tx, received) -> tx.insertInto(DSL.table(DSL.name("public", "shipments")))
                .values("x")
                .execute();
        IdempotentConsumer consumer =
                IdempotentConsumer.create(DATABASE.dataSource(), "shipping", handler, "Order Outbox");

        callers.transaction((Configuration tx) -> consumer.apply(tx, event));

        assertThat(heard).hasSize(2);
        assertThat(heard.get(0)).startsWith("insert into \"Order Outbox\".\"processed_events\"");
        assertThat(heard.get(1)).startsWith("INSERT INTO \"public\".\"shipments\"");
        assertThat(shipments()).isEqualTo(1);
        assertThat(records()).isZero();
    }

    @Test
    void autoCommitConnectionIsRefused() throws Exception {
        try (Connection connection = DATABASE.dataSource().getConnection()) {
            assertThatThrownBy(() -> consumer(SHIP).apply(connection, event))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessage("a transaction must be open when an event is applied (was none: auto-commit is on):"
                            + " begin one, or call apply(event), which has a transaction of its own");
        }
        assertThat(shipments()).isZero();
    }

    @Test
    void configurationWithoutAConnectionIsRefused() {
        assertThatThrownBy(() -> consumer(SHIP).apply(DSL.using(SQLDialect.POSTGRES), event))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("an event is applied (was none: the jOOQ configuration has no connection)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jooqOnAPoolOutsideATransactionIsRefused(boolean autoCommit) {
        try (HikariDataSource pool = DATABASE.pool(autoCommit)) {
            for (DataSource dataSource : List.of(pool, new TransactionAwareDataSourceProxy(pool))) {
                assertThatThrownBy(() -> consumer(SHIP).apply(OutboxDatabase.quiet(dataSource), event))
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContaining("when an event is applied (was none: ");
            }
        }
        assertThat(shipments()).isZero();
        assertThat(records()).isZero();
    }

    private static Connection transaction() throws SQLException {
        Connection connection = DATABASE.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static IdempotentConsumer consumer(EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), "shipping", handler);
    }

    private static OutboxEvent anEvent() {
        return OutboxEvent.builder(UUID.randomUUID()).build();
    }

    private static int shipments() {
        return Integer.parseInt(DATABASE.value("select count(*) from shipments"));
    }

    private static int records() {
        return Integer.parseInt(DATABASE.value("select count(*) from processed_events"));
    }
}
