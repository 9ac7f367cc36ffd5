package dev.typedoutbox.store;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;

import java.time.Duration;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** A setting of a session for one transaction, as a field, so that a single statement can make many. */
final class LocalSetting {
    private LocalSetting() {}

    static Field<String> of(String setting, String value) {
        return function("set_config", SQLDataType.VARCHAR, inline(setting), inline(value), inline(true));
    }

    static Field<String> of(String setting, Duration value) {
        return of(setting, Long.toString(value.toMillis()));
    }
}
