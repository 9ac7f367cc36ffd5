package dev.typedoutbox.testkit.outbox;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static dev.typedoutbox.testkit.outbox.Writer.created;
import static dev.typedoutbox.testkit.outbox.Writer.paid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OutboxAssertionsTest {
    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

    private final Writer writer = new Writer(DATABASE.dataSource());

    record Order(String id, BigDecimal total) {}

    record Parcel(int weight) {}

    @Test
    void eventIsFoundAmongOthersByAllThatIsAsked() {
        writer.write(created("41"), created("42").withHeader("tenant", "acme"), paid("42"));

        OutboxEvent event = assertThatOutbox(DATABASE.dataSource())
                .hasEvent("order.created")
                .forAggregate("order", "42")
                .withPayload("{\"total\": 19.9, \"id\": \"42\"}")
                .withPayloadEqualTo(new Order("42", new BigDecimal("19.90")))
                .withHeader("tenant", "acme")
                .event();

        assertThat(event.aggregateId()).isEqualTo("42");
        assertThat(event.headers()).isEqualTo(Map.of("tenant", "acme"));
    }

    @Test
    void missingTypeListsAllEvents() {
        writer.write(created("41"), paid("42").withHeader("tenant", "acme"));

        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).hasEvent("order.sent"))
                .isEqualTo("Expecting the outbox to have an event of type \"order.sent\", but its events are:"
                        + "\n  order.created of order 41 (due): {\"id\": \"41\", \"total\": 19.90}"
                        + "\n  order.paid of order 42 (due): {\"id\": \"42\", \"total\": 19.90} with headers"
                        + " {tenant=acme}");
    }

    @Test
    void otherAggregateListsTheEventsOfTheType() {
        writer.write(created("41"), paid("42"));

        assertFails(() -> assertThatOutbox(DATABASE.dataSource())
                        .hasEvent("order.created")
                        .forAggregate("order", "42"))
                .isEqualTo("Expecting the outbox to have an event for aggregate \"order\" \"42\" of type"
                        + " \"order.created\", but its events of type \"order.created\" are:"
                        + "\n  order.created of order 41 (due): {\"id\": \"41\", \"total\": 19.90}");
    }

    @Test
    void otherPayloadListsTheEventsOfTheAggregate() {
        writer.write(created("42"), created("43"));
        EventAssert event = assertThatOutbox(DATABASE.dataSource())
                .hasEvent("order.created")
                .forAggregate("order", "42");

        assertFails(() -> event.withPayload("{\"id\": \"42\"}"))
                .isEqualTo("Expecting the outbox to have an event with payload {\"id\": \"42\"} of type"
                        + " \"order.created\" for aggregate \"order\" \"42\", but its events of type \"order.created\" for"
                        + " aggregate \"order\" \"42\" are:"
                        + "\n  order.created of order 42 (due): {\"id\": \"42\", \"total\": 19.90}");
        assertFails(() -> event.withPayloadEqualTo(new Parcel(1))).contains("with a payload equal to Parcel[weight=1]");
        assertFails(() -> event.withPayloadEqualTo(new Order("42", BigDecimal.ONE)))
                .contains("with a payload equal to Order[id=42, total=1]");
        assertFails(() -> event.withHeader("tenant", "acme")).contains("an event with header tenant=acme");
    }

    @Test
    void emptyOutboxIsToldOf() {
        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).hasEvent("order.created"))
                .isEqualTo("Expecting the outbox to have an event of type \"order.created\", but it has none");
        assertThatOutbox(DATABASE.dataSource()).isEmpty().hasSize(0).hasNoEvent("order.created");
    }

    @Test
    void payloadsAreComparedByValue() {
        writer.write(
                NewEvent.ofJson("number", "1", "number.drawn", "{\"n\": 1e2, \"list\": [1, 2.50]}"),
                NewEvent.of("text", "1", "text.written", "plain"));

        EventAssert number = assertThatOutbox(DATABASE.dataSource()).hasEvent("number.drawn");
        number.withPayload("{\"list\":[1.0,2.5],\"n\":100}");
        assertFails(() -> number.withPayload("{\"n\": 100, \"list\": [2.5, 1]}"))
                .contains("number.drawn");
        assertFails(() -> number.withPayload("{\"n\": 100}")).contains("number.drawn");
        assertFails(() -> number.withPayload("{\"n\": \"100\", \"list\": [1, 2.5]}"))
                .contains("number.drawn");
        assertThatOutbox(DATABASE.dataSource()).hasEvent("text.written").withPayload("\"plain\"");
        assertThatThrownBy(() -> number.withPayload("{"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("json must be one JSON value (was {)");
    }

    @Test
    void headersKeepTheirTypes() {
        writer.write(created("1").withHeader("number", 7).withHeader("urgent", true));

        assertThatOutbox(DATABASE.dataSource())
                .hasEvent("order.created")
                .withHeader("number", 7)
                .withHeader("number", 7L)
                .withHeader("urgent", true);
        assertFails(() -> assertThatOutbox(DATABASE.dataSource())
                        .hasEvent("order.created")
                        .withHeader("number", "7"))
                .contains("number=7");
    }

    @Test
    void numberOfEventsIsAsserted() {
        writer.write(created("1"), created("2"), paid("1"));

        assertThatOutbox(DATABASE.dataSource())
                .hasSize(3)
                .hasExactlyTypes("order.created", "order.created", "order.paid");
        assertThatOutbox(DATABASE.dataSource()).hasEvent("order.created").times(2);
        assertThatOutbox(DATABASE.dataSource()).hasEvent("order.paid").once();
        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).hasSize(1))
                .startsWith("Expecting the outbox to have 1 event, but its events are:\n  order.created of order 1");
        assertFails(() -> assertThatOutbox(DATABASE.dataSource())
                        .hasEvent("order.created")
                        .once())
                .startsWith("Expecting the outbox to have 1 event of type \"order.created\", but its events of type");
        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).hasExactlyTypes("order.paid", "order.created"))
                .startsWith(
                        "Expecting the outbox to have exactly events of the types [order.paid, order.created] in this"
                                + " order, but its events are:");
        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).hasNoEvent("order.paid"))
                .startsWith("Expecting the outbox to have no event of type \"order.paid\", but its events of type"
                        + " \"order.paid\" are:\n  order.paid of order 1");
        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).isEmpty())
                .startsWith("Expecting the outbox to have no events, but its events are:");
    }

    @Test
    void statesAreToldApart() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        publisher.answer("order.created", PublishOutcome.returned("no queue takes it"));
        publisher.answer("order.paid", PublishOutcome.nacked("out of disk space"));
        RetryPolicy once = new RetryPolicy(1, Duration.ofSeconds(1), Duration.ofSeconds(1));
        RelayConfig config =
                RelayConfig.builder().retryPolicy("order.paid", once).build();
        writer.write(created("waits"), paid("dies"), NewEvent.of("order", "goes", "order.sent", 1));
        SteppableRelay.create(DATABASE.dataSource(), publisher, config).publishDue();
        writer.write(NewEvent.of("order", "new", "order.changed", 1));

        OutboxAssert outbox = assertThatOutbox(DATABASE.dataSource());
        outbox.pending().hasExactlyTypes("order.created", "order.changed");
        outbox.waiting().hasExactlyTypes("order.created");
        outbox.dead().hasExactlyTypes("order.paid");
        outbox.processed().hasExactlyTypes("order.sent");
        assertFails(outbox::isEmpty)
                .contains(
                        "order.created of order waits (waiting for its retry, failed attempts: 1, last error: no queue"
                                + " takes it)")
                .contains("order.paid of order dies (dead, failed attempts: 1, last error: out of disk space)")
                .contains("order.sent of order goes (processed)");
        assertFails(() -> outbox.dead().hasSize(2))
                .startsWith("Expecting what is dead in the outbox to have 2 events, but its events are:");
    }

    @Test
    void longListsAndPayloadsAreCut() {
        NewEvent[] many = IntStream.range(0, 23)
                .mapToObj(i -> NewEvent.of("order", "" + i, "order.created", "x".repeat(1_000)))
                .toArray(NewEvent[]::new);
        writer.write(many);

        assertFails(() -> assertThatOutbox(DATABASE.dataSource()).isEmpty())
                .contains("x... (1002 characters)")
                .contains("order.created of order 19 ")
                .doesNotContain("order.created of order 20 ")
                .endsWith("\n  and 3 more");
    }

    @Test
    void descriptionComesFirst() {
        writer.write(created("1"));

        assertFails(() -> assertThatOutbox(DATABASE.dataSource())
                        .as("after the order")
                        .hasEvent("order.created")
                        .forAggregate("order", "2"))
                .startsWith("[after the order] Expecting the outbox to have");
        assertFails(() -> assertThatOutbox(DATABASE.dataSource())
                        .dead()
                        .as("none")
                        .hasSize(1))
                .isEqualTo("[none] Expecting what is dead in the outbox to have 1 event, but it has none");
    }

    @Test
    void anyEventsCanBeAssertedOn() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        writer.write(created("1"), created("2"));
        SteppableRelay.create(DATABASE.dataSource(), publisher).publishDue();

        assertThatEvents(publisher.published())
                .hasEvent("order.created")
                .forAggregate("order", "2")
                .once();
        assertThatEvents(List.of()).isEmpty();
        assertFails(() -> assertThatEvents(publisher.published()).hasEvent("order.paid"))
                .contains("Expecting the list to have an event of type \"order.paid\", but its events are:")
                .contains("\n  order.created of order 1: {");
    }

    private static AbstractStringAssert<?> assertFails(ThrowingCallable assertion) {
        return assertThat(catchThrowableOfType(AssertionError.class, assertion).getMessage());
    }
}
