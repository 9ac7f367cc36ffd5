package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.raw;

import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The number by which PostgreSQL knows a table of the outbox's; two outboxes in one database have two. Resolved by each
 * statement, so that a table that was dropped and made again is found.
 */
final class TableOid {
    private final Field<String> name;
    private final Field<Integer> oid;
    private final Field<String> channel;

    TableOid(String schema) {
        this(schema, OUTBOX_EVENTS);
    }

    TableOid(String schema, Table<?> table) {
        this.name = literal(DSL.using(SQLDialect.POSTGRES).render(DSL.name(schema, table.getName())));
        this.channel = field("'outbox_' || {0}::regclass::oid", SQLDataType.VARCHAR, name);
        this.oid = field("{0}::regclass::oid::int", SQLDataType.INTEGER, name);
    }

    /** One whose meaning does not depend on {@code standard_conforming_strings}, which jOOQ takes to be on. */
    private static Field<String> literal(String text) {
        String escaped = text.replace("\\", "\\\\").replace("'", "''");
        return field(raw("E'" + escaped + "'"), SQLDataType.VARCHAR);
    }

    /** The qualified name, as text. */
    Field<String> name() {
        return name;
    }

    Field<Integer> oid() {
        return oid;
    }

    /** How large the table is. */
    Field<Long> pages() {
        return field("pg_relation_size({0}::regclass) / current_setting('block_size')::int", SQLDataType.BIGINT, name);
    }

    /** The channel on which the trigger notifies. */
    Field<String> channel() {
        return channel;
    }
}
