package dev.typedoutbox.store;

import static org.jooq.impl.DSL.function;

import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** The clock by which all rows are stamped, whatever those of the services and relays tell. */
final class DatabaseClock {
    /** The time as it goes on within a transaction. */
    static final Field<Instant> NOW = function("clock_timestamp", SQLDataType.INSTANT);

    private DatabaseClock() {}
}
