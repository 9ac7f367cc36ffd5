package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** An application that writes events, each call in a transaction of its own. */
final class Writer {
    private final DSLContext dsl;
    private final Outbox outbox = Outbox.create();

    Writer(DataSource dataSource) {
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    DSLContext dsl() {
        return dsl;
    }

    Outbox outbox() {
        return outbox;
    }

    void write(NewEvent... events) {
        dsl.transaction((Configuration tx) -> outbox.publishAll(tx, List.of(events)));
    }

    static NewEvent created(String orderId) {
        return order(orderId, "order.created");
    }

    static NewEvent paid(String orderId) {
        return order(orderId, "order.paid");
    }

    private static NewEvent order(String orderId, String eventType) {
        return NewEvent.ofJson("order", orderId, eventType, "{\"id\": \"" + orderId + "\", \"total\": 19.90}");
    }
}
