package dev.typedoutbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.support.OutboxDatabase;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions that Spring manages, on pools with auto-commit on and off. */
class SpringTransactionTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final NewEvent EVENT = NewEvent.of("order", "1", "order.created", "x");

    private final Outbox outbox = Outbox.create();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jooqOverTheTransactionAwareProxyCommitsAndRollsBackWithSpring(boolean autoCommit) {
        try (HikariDataSource pool = DATABASE.pool(autoCommit)) {
            DSLContext dsl = OutboxDatabase.quiet(new TransactionAwareDataSourceProxy(pool));
            TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(pool));

            spring.executeWithoutResult(status -> {
                outbox.publish(dsl, EVENT);
                status.setRollbackOnly();
            });
            assertThat(DATABASE.count("true")).isZero();

            spring.executeWithoutResult(status -> outbox.publish(dsl, EVENT));
            assertThat(DATABASE.count("true")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionOfSpringCommitsAndRollsBackWithSpring(boolean autoCommit) {
        try (HikariDataSource pool = DATABASE.pool(autoCommit)) {
            TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(pool));

            spring.executeWithoutResult(status -> {
                outbox.publish(DataSourceUtils.getConnection(pool), EVENT);
                status.setRollbackOnly();
            });
            assertThat(DATABASE.count("true")).isZero();

            spring.executeWithoutResult(status -> outbox.publish(DataSourceUtils.getConnection(pool), EVENT));
            assertThat(DATABASE.count("true")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void outsideASpringTransactionIsRefused(boolean autoCommit) {
        try (HikariDataSource pool = DATABASE.pool(autoCommit)) {
            DSLContext dsl = OutboxDatabase.quiet(new TransactionAwareDataSourceProxy(pool));

            assertThatThrownBy(() -> outbox.publish(dsl, EVENT)).isInstanceOf(NoTransactionException.class);
        }
        assertThat(DATABASE.count("true")).isZero();
    }
}
