package dev.typedoutbox.consumer;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.InvalidEventException;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** What an event that a handler publishes tells of the event that was being handled. */
@Timeout(60)
class CausationTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final Outbox OUTBOX = Outbox.create();
    private static final String NONE = "null";

    private final OutboxEvent event = OutboxEvent.builder(UUID.randomUUID()).build();
    private final String id = event.id().toString();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @Test
    void followUpsOnTheHandedContextTellTheirCause() {
        consumer((tx, received) -> {
                    OUTBOX.publish(tx, followUp("context"));
                    OUTBOX.publish(tx.configuration(), followUp("configuration"));
                    OUTBOX.publishAll(tx, List.of(followUp("all, one"), followUp("all, two")));
                    tx.transaction((Configuration nested) -> {
                        OUTBOX.publish(nested, followUp("nested"));
                        nested.dsl().transaction((Configuration deep) -> OUTBOX.publish(deep, followUp("deep")));
                    });
                })
                .apply(event);

        assertThat(DATABASE.count("true")).isEqualTo(6);
        assertThat(DATABASE.count("headers = '" + causes(id, id) + "'")).isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource
    void followUpsInTheCallersTransactionTellTheirCause(CallersWay way) {
        way.inTransaction(DATABASE, apply -> apply.with(publishing(), event));

        assertThat(headers(id)).isEqualTo(causes(id, id));
    }

    @Test
    void eachEventOfABatchIsTheCauseOfItsOwnFollowUps() {
        List<OutboxEvent> events = IntStream.range(0, 5)
                .mapToObj(i -> OutboxEvent.builder(UUID.randomUUID()).build())
                .toList();

        publishing().applyAll(events);

        assertThat(DATABASE.column("select headers ->> 'causation_id' from outbox_events order by seq"))
                .containsExactlyElementsOf(
                        events.stream().map(each -> each.id().toString()).toList());
        assertThat(DATABASE.count("aggregate_id = headers ->> 'causation_id'")).isEqualTo(5);
    }

    @Test
    void correlationOfTheEventTravelsOnAsText() {
        OutboxEvent text = withHeader(OutboxEvent.CORRELATION_ID, "order 4712");
        OutboxEvent number = withHeader(OutboxEvent.CORRELATION_ID, 4712L);

        publishing().apply(text);
        publishing().apply(number);

        assertThat(headers(text.id().toString())).isEqualTo(causes(text.id().toString(), "order 4712"));
        assertThat(headers(number.id().toString())).isEqualTo(causes(number.id().toString(), "4712"));
    }

    @Test
    void correlationStaysTheSameAlongAChain() {
        DATABASE.publishAll(List.of(followUp("first")));
        OutboxEvent first = sent("first");
        consumer((tx, received) -> OUTBOX.publish(tx, followUp("second"))).apply(first);
        OutboxEvent second = sent("second");
        consumer((tx, received) -> OUTBOX.publish(tx, followUp("third"))).apply(second);
        OutboxEvent third = sent("third");

        assertThat(first.headers()).isEmpty();
        assertThat(third.headers())
                .isEqualTo(Map.of(
                        "causation_id", second.id().toString(),
                        "correlation_id", first.id().toString()));
        assertThat(List.of(first, second, third))
                .extracting(OutboxEvent::correlationId)
                .containsOnly(first.id().toString());
    }

    @Test
    void headersOfThePublishersOwnWin() {
        consumer((tx, received) -> {
                    OUTBOX.publish(tx, followUp("one").withHeader(OutboxEvent.CORRELATION_ID, "mine"));
                    OUTBOX.publish(tx, followUp("other").withHeader(OutboxEvent.CAUSATION_ID, "mine"));
                    OUTBOX.publish(
                            tx,
                            followUp("both")
                                    .withHeader(OutboxEvent.CAUSATION_ID, "mine")
                                    .withHeader(OutboxEvent.CORRELATION_ID, "mine, too"));
                })
                .apply(event);

        assertThat(headers("one")).isEqualTo(causes(id, "mine"));
        assertThat(headers("other")).isEqualTo(causes("mine", id));
        assertThat(headers("both")).isEqualTo(causes("mine", "mine, too"));
    }

    @Test
    void nothingTravelsOverAJdbcConnection() {
        consumer((tx, received) -> tx.connection(connection -> OUTBOX.publish(connection, followUp("jdbc"))))
                .apply(event);

        assertThat(headers("jdbc")).isEqualTo(NONE);
    }

    @Test
    void nothingLeaksToWhatTheCallerPublishesAfterwards() {
        DATABASE.dsl().transaction((Configuration tx) -> {
            tx.data("callers", "own");
            Map<Object, Object> before = new HashMap<>(tx.data());
            consumer((handed, received) -> {
                        assertThat(handed.configuration().data("callers")).isEqualTo("own");
                        OUTBOX.publish(handed, followUp("caused"));
                    })
                    .apply(tx, event);
            OUTBOX.publish(tx, followUp("after"));
            tx.dsl().transaction((Configuration nested) -> OUTBOX.publish(nested, followUp("nested after")));
            assertThat(tx.data()).isEqualTo(before);
        });

        assertThat(headers("caused")).isEqualTo(causes(id, id));
        assertThat(headers("after")).isEqualTo(NONE);
        assertThat(headers("nested after")).isEqualTo(NONE);
    }

    @Test
    void nothingLeaksThroughAContextThatSpringSharesAmongAll() {
        try (HikariDataSource pool = DATABASE.pool(true)) {
            DSLContext dsl = OutboxDatabase.quiet(new TransactionAwareDataSourceProxy(pool));
            new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult(status -> {
                publishing().apply(dsl, event);
                OUTBOX.publish(dsl, followUp("after"));
            });
        }

        assertThat(headers(id)).isEqualTo(causes(id, id));
        assertThat(headers("after")).isEqualTo(NONE);
    }

    @Test
    void eventThatIsAppliedWithinAHandlerIsTheCauseMeanwhile() {
        OutboxEvent inner = OutboxEvent.builder(UUID.randomUUID()).build();
        String innerId = inner.id().toString();

        consumer((tx, received) -> {
                    publishing().apply(tx, inner);
                    OUTBOX.publish(tx, followUp("outer"));
                })
                .apply(event);

        assertThat(headers(innerId)).isEqualTo(causes(innerId, innerId));
        assertThat(headers("outer")).isEqualTo(causes(id, id));
    }

    @Test
    void causesCountTowardsTheSizeOfTheHeaders() {
        NewEvent justFits = followUp("large").withHeader("h", "x".repeat(64 * 1024 - "{'h':''}".length()));
        DATABASE.publishAll(List.of(justFits));

        consumer((tx, received) -> assertThatThrownBy(() -> OUTBOX.publish(tx, justFits))
                        .isInstanceOf(InvalidEventException.class)
                        .hasMessage("headers must be at most 65536 bytes as JSON (was "
                                + (64 * 1024 + ",'causation_id':'','correlation_id':''".length() + 2 * id.length())
                                + ")"))
                .apply(event);

        assertThat(DATABASE.count("true")).isEqualTo(1);
    }

    private static OutboxEvent sent(String aggregateId) {
        InMemoryPublisher publisher = new InMemoryPublisher();
        drain(DATABASE, publisher, quick());
        return publisher.sent().stream()
                .filter(each -> each.aggregateId().equals(aggregateId))
                .findFirst()
                .orElseThrow();
    }

    /** Publishes an event that is named after the one that it was called with. */
    private static IdempotentConsumer publishing() {
        return consumer(
                (tx, received) -> OUTBOX.publish(tx, followUp(received.id().toString())));
    }

    private static IdempotentConsumer consumer(EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), "shipping", handler);
    }

    private static NewEvent followUp(String aggregateId) {
        return NewEvent.of("shipment", aggregateId, "shipment.sent", "x");
    }

    private static OutboxEvent withHeader(String name, Object value) {
        return OutboxEvent.builder(UUID.randomUUID())
                .headers(Map.of(name, value))
                .build();
    }

    private static String headers(String aggregateId) {
        return DATABASE.value("select headers::text from outbox_events where aggregate_id = '" + aggregateId + "'");
    }

    /** As PostgreSQL prints them. */
    private static String causes(String causationId, String correlationId) {
        return "{\"causation_id\": \"" + causationId + "\", \"correlation_id\": \"" + correlationId + "\"}";
    }
}
