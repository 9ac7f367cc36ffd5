package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A relay works the same whatever settings its role's sessions begin with. */
class RoleDefaultsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    private static final RetryPolicy SLOW_RETRY = new RetryPolicy(8, Duration.ofMinutes(1), Duration.ofMinutes(4));

    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @ParameterizedTest
    @CsvSource({
        "default_transaction_isolation, repeatable read",
        "default_transaction_isolation, serializable",
        "search_path, elsewhere",
        "idle_in_transaction_session_timeout, 150ms",
        "statement_timeout, 200ms",
        "lock_timeout, 100ms",
        "jit, on",
        "DateStyle, 'SQL, DMY'",
        "TimeZone, Asia/Kolkata",
        "intervalstyle, sql_standard",
    })
    void defaultOfTheRoleDoesNotMatter(String setting, String value) throws Exception {
        runTwoSlowBatches(DATABASE.asRoleWith(setting, value));
    }

    @Test
    void transactionTimeoutOfTheRoleDoesNotMatter() throws Exception {
        boolean known = !DATABASE.column("select 1 from pg_settings where name = 'transaction_timeout'")
                .isEmpty();
        runTwoSlowBatches(DATABASE.asRoleWith(known ? "transaction_timeout" : "statement_timeout", "150ms"));
    }

    @Test
    void connectionGoesBackToItsPoolAsItWas() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(DATABASE.asRoleWith("default_transaction_isolation", "serializable"));
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            String before = settings(pool);
            runTwoSlowBatches(pool);
            assertThat(settings(pool)).isEqualTo(before);
        }
    }

    private void runTwoSlowBatches(DataSource dataSource) throws Exception {
        publisher.answer(event -> {
            pause();
            return event.aggregateId().equals("0") ? PublishOutcome.refused("x") : PublishOutcome.confirmed();
        });
        Relay relay = Relay.create(
                dataSource, publisher, quick().retryPolicy(SLOW_RETRY).build());
        for (int round = 1; round <= 2; round++) {
            DATABASE.insertEvents(4, 4);
            assertThat(relay.runOnce()).isEqualTo(new BatchResult(5 - round, 3, 2 - round, 0, 0));
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::id).hasSize(7).doesNotHaveDuplicates();
        assertThat(DATABASE.count("processed_at between now() - interval '1 minute' and now()"))
                .isEqualTo(6);
        assertThat(DATABASE.count("retry_after between now() and now() + interval '5 minutes'"))
                .isEqualTo(1);
    }

    /** The broker takes its time, longer than the role's time-outs. */
    private static void pause() {
        try {
            new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String settings(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection();
                ResultSet settings = connection
                        .createStatement()
                        .executeQuery("select concat_ws(' ', current_setting('transaction_isolation'),"
                                + " current_setting('search_path'), current_setting('synchronous_commit'),"
                                + " current_setting('statement_timeout'), current_setting('jit'))")) {
            settings.next();
            return connection.getAutoCommit() + " " + settings.getString(1);
        }
    }
}
