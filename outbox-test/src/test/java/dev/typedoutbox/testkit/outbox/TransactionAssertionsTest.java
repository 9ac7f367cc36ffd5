package dev.typedoutbox.testkit.outbox;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatTransaction;
import static dev.typedoutbox.testkit.outbox.Writer.created;
import static dev.typedoutbox.testkit.outbox.Writer.paid;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TransactionAssertionsTest {
    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

    private final Writer writer = new Writer(DATABASE.dataSource());

    @Test
    void openTransactionShowsItsOwnEventsAlone() {
        writer.write(created("before"));

        writer.dsl().transaction((Configuration tx) -> {
            writer.outbox().publish(tx, created("42"));
            tx.dsl().transaction((Configuration nested) -> writer.outbox().publish(nested, paid("42")));
            writer.write(created("meanwhile"));

            assertThatTransaction(tx).hasExactlyTypes("order.created", "order.paid");
            assertThatTransaction(tx.dsl()).hasEvent("order.created").forAggregate("order", "42");
            assertThatOutbox(DATABASE.dataSource()).hasSize(2).hasNoEvent("order.paid");
        });

        assertThatOutbox(DATABASE.dataSource()).hasSize(4);
    }

    @Test
    void whatWasRolledBackToASavepointIsNotThere() {
        writer.dsl().transaction((Configuration tx) -> {
            writer.outbox().publish(tx, created("42"));
            assertThatThrownBy(() -> tx.dsl().transaction((Configuration nested) -> {
                        writer.outbox().publish(nested, paid("42"));
                        throw new IllegalStateException("not paid");
                    }))
                    .hasMessage("not paid");

            assertThatTransaction(tx).hasExactlyTypes("order.created");
        });
    }

    @Test
    void jdbcTransactionIsAssertedOnAndGoesOn() throws SQLException {
        try (Connection connection = DATABASE.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            writer.outbox().publish(connection, created("42"));
            assertThatTransaction(connection).hasEvent("order.created").once();
            writer.outbox().publish(connection, paid("42"));
            connection.commit();
            assertThatTransaction(connection).isEmpty();
        }

        assertThatOutbox(DATABASE.dataSource()).hasExactlyTypes("order.created", "order.paid");
    }

    @Test
    void withoutATransactionThereIsNothingToAssertOn() throws SQLException {
        try (Connection connection = DATABASE.dataSource().getConnection()) {
            assertThatThrownBy(() -> assertThatTransaction(connection))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessage("a transaction must be open when its events are asserted (was none: auto-commit is on):"
                            + " use assertThatOutbox(dataSource) for what has committed");
        }
        assertThatThrownBy(() -> assertThatTransaction(writer.dsl())).isInstanceOf(NoTransactionException.class);
    }
}
