package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.ConsumingContender;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class EffectsTest {
    /** Of the aggregates 0, 1, 0, 1. */
    private static final Feed FEED = Feed.withCopies(new Backlog(4, 100, 2));

    private static Postgres postgres;

    private PGSimpleDataSource database;

    @BeforeAll
    static void start() {
        postgres = Postgres.startOwn();
    }

    @AfterAll
    static void stop() throws SQLException {
        postgres.close();
    }

    @BeforeEach
    void createTable() throws SQLException {
        database = postgres.createDatabase();
        Postgres.execute(database, ConsumingContender.EFFECTS);
    }

    @Test
    void rowForEachEventInTheOrderOfItsAggregateIsRight() throws Exception {
        insert(FEED.id(1), FEED.id(0), FEED.id(2), FEED.id(3));

        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void missingRowIsFound() throws Exception {
        insert(FEED.id(0), FEED.id(1), FEED.id(2));

        assertFails("1 missing, 0 repeated");
    }

    @Test
    void eventThatWasAppliedTwiceIsFound() throws Exception {
        insert(FEED.id(0), FEED.id(1), FEED.id(1), FEED.id(2), FEED.id(3));

        assertFails("0 missing, 1 repeated");
    }

    @Test
    void eventThatWasNotPublishedIsFound() throws Exception {
        insert(FEED.id(0), FEED.id(1), FEED.id(2), FEED.id(3), UUID.randomUUID());

        assertFails("1 unknown");
    }

    @Test
    void wrongOrderOfAnAggregateIsFound() throws Exception {
        insert(FEED.id(2), FEED.id(1), FEED.id(0), FEED.id(3));

        assertFails("1 out of order");
    }

    private void check() throws Exception {
        QueueDrainer.effects(database, FEED, true).check();
    }

    private void assertFails(String reason) {
        assertThatThrownBy(this::check).isInstanceOf(ContenderFailure.class).hasMessageContaining(reason);
    }

    private void insert(UUID... ids) throws SQLException {
        for (UUID id : ids) {
            Postgres.execute(
                    database, "insert into effects (event_id, aggregate_id) values ('" + id + "', 'of no interest')");
        }
    }
}
