package dev.typedoutbox.store;

import static org.jooq.impl.DSL.currentCatalog;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** PostgreSQL's list of the locks that are held, or waited for, in all databases of the server. */
final class HeldLocks {
    static final Table<?> TABLE = table(name("pg_catalog", "pg_locks"));

    private HeldLocks() {}

    /** Those of this database that are of a type, such as {@code advisory}. */
    static Condition ofType(String type) {
        return field(name("locktype"), SQLDataType.VARCHAR)
                .eq(inline(type))
                .and(integer("database").eq(thisDatabase()));
    }

    /** A column as a number; the driver reads none of PostgreSQL's type for the numbers of its objects. */
    static Field<Integer> integer(String column) {
        return field("{0}::int", SQLDataType.INTEGER, field(name(column)));
    }

    private static Field<Integer> thisDatabase() {
        return field(select(integer("oid"))
                .from(table(name("pg_catalog", "pg_database")))
                .where(field(name("datname"), SQLDataType.VARCHAR).eq(currentCatalog())));
    }
}
