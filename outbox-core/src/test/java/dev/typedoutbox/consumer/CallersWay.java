package dev.typedoutbox.consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** The ways in which a caller has a transaction of its own. */
enum CallersWay {
    JOOQ_CONFIGURATION {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            database.dsl()
                    .transaction((Configuration tx) -> work.accept((consumer, event) -> consumer.apply(tx, event)));
        }
    },
    JOOQ_CONTEXT {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            database.dsl()
                    .transaction(
                            (Configuration tx) -> work.accept((consumer, event) -> consumer.apply(tx.dsl(), event)));
        }
    },
    JOOQ_NESTED {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            database.dsl()
                    .transaction((Configuration tx) -> tx.dsl()
                            .transaction((Configuration nested) ->
                                    work.accept((consumer, event) -> consumer.apply(nested, event))));
        }
    },
    JDBC {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            try (Connection tx = database.dataSource().getConnection()) {
                tx.setAutoCommit(false);
                work.accept((consumer, event) -> consumer.apply(tx, event));
                tx.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    },
    SPRINGS_JOOQ {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            springsJooq(database, true, work);
        }
    },
    SPRINGS_JOOQ_WITHOUT_AUTO_COMMIT {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            springsJooq(database, false, work);
        }
    },
    SPRINGS_CONNECTION {
        @Override
        void inTransaction(OutboxDatabase database, Consumer<Apply> work) {
            try (HikariDataSource pool = database.pool(true)) {
                new TransactionTemplate(new DataSourceTransactionManager(pool))
                        .executeWithoutResult(status -> work.accept(
                                (consumer, event) -> consumer.apply(DataSourceUtils.getConnection(pool), event)));
            }
        }
    };

    /** Commits when the work returns, and rolls back when it throws. */
    abstract void inTransaction(OutboxDatabase database, Consumer<Apply> work);

    private static void springsJooq(OutboxDatabase database, boolean autoCommit, Consumer<Apply> work) {
        try (HikariDataSource pool = database.pool(autoCommit)) {
            DSLContext dsl = OutboxDatabase.quiet(new TransactionAwareDataSourceProxy(pool));
            new TransactionTemplate(new DataSourceTransactionManager(pool))
                    .executeWithoutResult(status -> work.accept((consumer, event) -> consumer.apply(dsl, event)));
        }
    }

    /** Applies an event in the transaction. */
    interface Apply {
        Applied with(IdempotentConsumer consumer, OutboxEvent event);
    }
}
