package dev.typedoutbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.ThreadLocalTransactionProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WritePathTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final NewEvent EVENT = NewEvent.of("order", "1", "order.created", "x");

    private final Outbox outbox = Outbox.create();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void committedPublishLeavesExactlyOneRow() throws Exception {
        List<UUID> ids = new ArrayList<>();
        DATABASE.dsl().transaction((Configuration tx) -> ids.add(outbox.publish(tx, EVENT)));
        DATABASE.dsl().transaction((Configuration tx) -> ids.add(outbox.publish(tx.dsl(), EVENT)));
        try (Connection tx = DATABASE.dataSource().getConnection()) {
            tx.setAutoCommit(false);
            ids.add(outbox.publish(tx, EVENT));
            tx.commit();
        }

        assertThat(DATABASE.column("select id from outbox_events order by seq"))
                .containsExactlyElementsOf(ids.stream().map(UUID::toString).toList());
    }

    @Test
    void rolledBackPublishLeavesNoRow() {
        assertThatThrownBy(() -> DATABASE.dsl().transaction((Configuration tx) -> {
                    outbox.publish(tx, EVENT);
                    throw new IllegalStateException("the order is refused");
                }))
                .hasMessage("the order is refused");

        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void eventIsVisibleOnlyAfterTheCommit() throws Exception {
        try (Connection tx = DATABASE.dataSource().getConnection()) {
            tx.setAutoCommit(false);
            outbox.publish(tx, EVENT);
            assertThat(DATABASE.count("true")).isZero();
            tx.commit();
            assertThat(DATABASE.count("true")).isEqualTo(1);
        }
    }

    @Test
    void publishAllKeepsTheOrderOfTheCollection() {
        List<NewEvent> events = IntStream.range(0, 2500)
                .mapToObj(n -> NewEvent.of("order", "1", "event" + n, n))
                .toList();

        List<UUID> ids = DATABASE.publishAll(events);

        assertThat(DATABASE.column("select event_type from outbox_events order by seq"))
                .containsExactlyElementsOf(
                        events.stream().map(NewEvent::eventType).toList());
        assertThat(DATABASE.column("select id from outbox_events order by seq"))
                .containsExactlyElementsOf(ids.stream().map(UUID::toString).toList());
    }

    @Test
    void publishAllOfNothingWritesNothing() {
        assertThat(DATABASE.publishAll(List.of())).isEmpty();
        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void nestedTransactionThatIsRolledBackLeavesNoEvent() {
        DATABASE.dsl().transaction((Configuration outer) -> {
            outbox.publish(outer, EVENT);
            assertThatThrownBy(() -> outer.dsl().transaction((Configuration nested) -> {
                        outbox.publish(nested, EVENT);
                        throw new IllegalStateException("only the nested one");
                    }))
                    .hasMessage("only the nested one");
        });

        assertThat(DATABASE.count("true")).isEqualTo(1);
    }

    @Test
    void autoCommitConnectionIsRefused() throws Exception {
        try (Connection connection = DATABASE.dataSource().getConnection()) {
            assertThatThrownBy(() -> outbox.publish(connection, EVENT))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessage("a transaction must be open when an event is written (was none: auto-commit is on):"
                            + " write the event in the transaction that writes the business data");
        }
        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void closedConnectionIsRefused() throws Exception {
        Connection connection = DATABASE.dataSource().getConnection();
        connection.close();

        assertThatThrownBy(() -> outbox.publish(connection, EVENT))
                .isInstanceOf(DataAccessException.class)
                .hasMessage("the state of the caller's transaction could not be read");
    }

    @Test
    void poolOutsideATransactionIsRefused() {
        try (HikariDataSource pool = DATABASE.pool(true)) {
            assertThatThrownBy(() -> outbox.publish(OutboxDatabase.quiet(pool), EVENT))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("auto-commit is on");
        }
        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void poolWithoutAutoCommitOutsideATransactionIsRefused() {
        try (HikariDataSource pool = DATABASE.pool(false)) {
            assertThatThrownBy(() -> outbox.publish(OutboxDatabase.quiet(pool), EVENT))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("the connection pool has auto-commit off and has rolled the event back");
        }
        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void threadLocalTransactionIsUsedAndItsAbsenceRefused() {
        try (HikariDataSource pool = DATABASE.pool(false)) {
            DSLContext dsl = DSL.using(new DefaultConfiguration()
                    .set(SQLDialect.POSTGRES)
                    .set(new ThreadLocalTransactionProvider(new DataSourceConnectionProvider(pool))));

            assertThatThrownBy(() -> outbox.publish(dsl, EVENT)).isInstanceOf(NoTransactionException.class);
            assertThat(DATABASE.count("true")).isZero();

            dsl.transaction(() -> outbox.publish(dsl, EVENT));
            assertThat(DATABASE.count("true")).isEqualTo(1);
        }
    }

    @Test
    void configurationWithoutAConnectionIsRefused() {
        assertThatThrownBy(() -> outbox.publish(DSL.using(SQLDialect.POSTGRES), EVENT))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("the jOOQ configuration has no connection");
    }

    @Test
    void callersTransactionIsNeitherCommittedNorRolledBack() throws Exception {
        try (Connection tx = DATABASE.dataSource().getConnection()) {
            tx.setAutoCommit(false);
            String before = transactionId(tx);
            outbox.publish(tx, EVENT);
            outbox.publishAll(tx, List.of(EVENT, EVENT));
            outbox.publish(DSL.using(tx, SQLDialect.POSTGRES), EVENT);
            outbox.publish(DSL.using(tx, SQLDialect.POSTGRES).configuration(), EVENT);
            outbox.publishAll(DSL.using(tx, SQLDialect.POSTGRES), List.of(EVENT));
            assertThat(transactionId(tx)).isEqualTo(before);
            tx.rollback();
        }
        assertThat(DATABASE.count("true")).isZero();
    }

    @Test
    void settingsOfTheCallersJooqDoNotMatterAndItsListenersSeeTheInsert() {
        List<String> heard = new ArrayList<>();
        Settings odd = new Settings()
                .withExecuteLogging(false)
                .withRenderSchema(false)
                .withRenderNameCase(RenderNameCase.UPPER)
                .withRenderQuotedNames(RenderQuotedNames.ALWAYS)
                .withRenderKeywordCase(RenderKeywordCase.UPPER)
                .withRenderMapping(new RenderMapping()
                        .withSchemata(new MappedSchema().withInput("public").withOutput("nowhere")));
        DSLContext dsl = DSL.using(new DefaultConfiguration()
                .set(DATABASE.dataSource())
                .set(SQLDialect.DEFAULT)
                .set(odd)
                .set(ExecuteListener.onExecuteStart((ExecuteContext context) -> heard.add(context.sql()))));

        dsl.transaction((Configuration tx) -> outbox.publish(tx, EVENT));

        assertThat(heard).singleElement().asString().startsWith("insert into \"public\".\"outbox_events\"");
        assertThat(DATABASE.count("true")).isEqualTo(1);
    }

    private static String transactionId(Connection tx) {
        return DSL.using(tx, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false))
                .fetchSingle("select pg_current_xact_id()::text")
                .get(0, String.class);
    }
}
