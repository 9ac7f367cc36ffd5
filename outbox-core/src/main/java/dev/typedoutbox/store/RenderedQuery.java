package dev.typedoutbox.store;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.raw;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Select;

/**
 * A query whose SQL is written once. jOOQ writes that of every other query anew each time it is run, which for the relay's
 * takes longer than PostgreSQL's answer when an event comes after a rest. Immutable.
 */
final class RenderedQuery {
    private final String template;
    private final List<Field<?>> columns;
    private final int variables;

    /**
     * @param dsl of the transactions that it is to be run in
     * @param variables how many the query has; every other value in it is inlined
     */
    RenderedQuery(OutboxDsl dsl, Select<?> query, int variables) {
        if (!query.getBindValues().isEmpty()) {
            // Each would take the place of a variable.
            throw new IllegalArgumentException(
                    "all values of the query must be inlined or variables (was " + query + ")");
        }
        this.variables = variables;
        this.template = dsl.unconnected().render(query);
        this.columns = List.copyOf(query.getSelect());
    }

    /** A place in a query that takes the value of this number, from zero on, of each run. */
    static <T> Field<T> variable(int number, DataType<T> type) {
        return field(raw("{" + number + "}"), type);
    }

    /** Runs it with the values of its {@linkplain #variable variables}. */
    Result<Record> fetch(DSLContext tx, Field<?>... values) {
        if (values.length != variables) {
            throw new IllegalArgumentException("a run must have " + variables + " values (was " + values.length + ")");
        }
        return tx.resultQuery(template, values).coerce(columns).fetch();
    }
}
