package dev.typedoutbox.db;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_DEAD_LETTERS;
import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static dev.typedoutbox.db.generated.Tables.PROCESSED_EVENTS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Named;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Compares a schema with the generated tables. It reads the catalog, not {@code information_schema}, which hides what the
 * role has no rights on.
 */
final class SchemaCheck {
    private static final List<Table<?>> TABLES = List.of(OUTBOX_EVENTS, PROCESSED_EVENTS, OUTBOX_DEAD_LETTERS);
    private static final Table<?> CLASS = table(name("pg_catalog", "pg_class")).as("c");
    private static final Table<?> NAMESPACE =
            table(name("pg_catalog", "pg_namespace")).as("n");
    private static final Table<?> ATTRIBUTE =
            table(name("pg_catalog", "pg_attribute")).as("a");
    private static final Table<?> INDEX = table(name("pg_catalog", "pg_index")).as("i");
    private static final Table<?> TRIGGER =
            table(name("pg_catalog", "pg_trigger")).as("t");
    private static final Field<Long> CLASS_OID = field(name("c", "oid"), Long.class);
    private static final Field<String> CLASS_NAME = field(name("c", "relname"), String.class);
    private static final Field<String> COLUMN_NAME = field(name("a", "attname"), String.class);
    private static final Field<String> TRIGGER_IS_ENABLED = field(name("t", "tgenabled"), String.class);
    private static final String WAKES_THE_RELAY = "outbox_wake_relay";
    private static final Set<String> ENABLED_FOR_WRITERS = Set.of("O", "A");
    private static final Field<Boolean> INDEX_IS_VALID = field(name("i", "indisvalid"), Boolean.class);

    private final DSLContext dsl;
    private final String schema;

    SchemaCheck(DataSource dataSource, String schema) {
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));
        this.schema = schema;
    }

    void run() {
        TABLES.forEach(this::requireTable);
        Map<String, Boolean> indexes = indexes();
        Stream.of(OUTBOX_EVENTS, PROCESSED_EVENTS).forEach(table -> requireIndexes(table, indexes));
        requireTrigger();
    }

    /** As {@link #run}, but what is there is looked at before what is missing, since it may be another's. */
    void runOnExisting() {
        TABLES.stream().filter(this::exists).forEach(this::requireTable);
        run();
    }

    boolean hasAnyTable() {
        return TABLES.stream().anyMatch(this::exists);
    }

    boolean hasHistoryTable() {
        return !columns(OutboxSchema.HISTORY_TABLE).isEmpty();
    }

    /** Flyway finds out too, but only after ten attempts, a second apart. */
    void requireRightToCreate() {
        Field<Boolean> onSchema = function(
                "has_schema_privilege", SQLDataType.BOOLEAN, field(name("n", "oid"), Long.class), inline("CREATE"));
        Boolean allowed = dsl.select(onSchema)
                .from(NAMESPACE)
                .where(field(name("n", "nspname"), String.class).eq(schema))
                .fetchOne(onSchema);
        if (!(allowed == null ? mayCreateSchema() : allowed)) {
            throw new OutboxSchemaException("the role must have the right CREATE on "
                    + (allowed == null ? "the database, to create schema \"" : "schema \"") + schema
                    + "\" (was missing): grant it, or run the SQL files in " + OutboxSchema.MIGRATIONS
                    + " as another role");
        }
    }

    private boolean mayCreateSchema() {
        Field<Boolean> onDatabase = function(
                "has_database_privilege",
                SQLDataType.BOOLEAN,
                function("current_database", SQLDataType.VARCHAR),
                inline("CREATE"));
        return dsl.select(onDatabase).fetchSingle().value1();
    }

    private boolean exists(Table<?> table) {
        return !columns(table.getName()).isEmpty();
    }

    private void requireTable(Table<?> table) {
        Set<String> columns = columns(table.getName());
        if (columns.isEmpty()) {
            throw new OutboxSchemaException("schema \"" + schema + "\" must hold " + table.getName()
                    + " (was missing): call OutboxSchema.migrate, or run the SQL files in " + OutboxSchema.MIGRATIONS);
        }
        for (Field<?> field : table.fields()) {
            if (!columns.contains(field.getName())) {
                throw outdated(table, "column " + field.getName());
            }
        }
    }

    private void requireIndexes(Table<?> table, Map<String, Boolean> indexes) {
        Stream<Named> needed = Stream.concat(table.getIndexes().stream(), table.getKeys().stream());
        needed.map(Named::getName).forEach(index -> {
            Boolean valid = indexes.get(index);
            if (valid == null) {
                throw outdated(table, "index " + index);
            }
            if (!valid) {
                throw new OutboxSchemaException("index \"" + schema + "\"." + index
                        + " must be valid (was invalid, as after an aborted build): drop it and create it again");
            }
        });
    }

    /** Without it a relay finds events too, but only when it looks by itself. */
    private void requireTrigger() {
        String enabled = dsl.select(TRIGGER_IS_ENABLED)
                .from(TRIGGER)
                .join(CLASS)
                .on(CLASS_OID.eq(field(name("t", "tgrelid"), Long.class)))
                .join(NAMESPACE)
                .on(inSchema())
                .where(CLASS_NAME.eq(OUTBOX_EVENTS.getName()))
                .and(field(name("t", "tgname"), String.class).eq(WAKES_THE_RELAY))
                .fetchOne(TRIGGER_IS_ENABLED);
        if (enabled == null) {
            throw outdated(OUTBOX_EVENTS, "trigger " + WAKES_THE_RELAY);
        }
        if (!ENABLED_FOR_WRITERS.contains(enabled)) {
            throw new OutboxSchemaException("trigger " + WAKES_THE_RELAY + " of table \"" + schema + "\"."
                    + OUTBOX_EVENTS.getName()
                    + " must be enabled (was disabled), or events wait for the next poll: alter"
                    + " table ... enable trigger " + WAKES_THE_RELAY);
        }
    }

    private OutboxSchemaException outdated(Table<?> table, String missing) {
        return new OutboxSchemaException("table \"" + schema + "\"." + table.getName() + " must have " + missing
                + " (was missing): the table is older than this version of Typed Outbox, or not its own;"
                + " call OutboxSchema.migrate, or run the SQL files in " + OutboxSchema.MIGRATIONS);
    }

    private Set<String> columns(String table) {
        return new HashSet<>(dsl.select(COLUMN_NAME)
                .from(ATTRIBUTE)
                .join(CLASS)
                .on(CLASS_OID.eq(field(name("a", "attrelid"), Long.class)))
                .join(NAMESPACE)
                .on(inSchema())
                .where(CLASS_NAME.eq(table))
                .and(field(name("a", "attnum"), Integer.class).gt(0))
                .andNot(field(name("a", "attisdropped"), Boolean.class))
                .fetch(COLUMN_NAME));
    }

    private Map<String, Boolean> indexes() {
        return dsl.select(CLASS_NAME, INDEX_IS_VALID)
                .from(INDEX)
                .join(CLASS)
                .on(CLASS_OID.eq(field(name("i", "indexrelid"), Long.class)))
                .join(NAMESPACE)
                .on(inSchema())
                .fetchMap(CLASS_NAME, INDEX_IS_VALID);
    }

    private Condition inSchema() {
        return field(name("n", "oid"), Long.class)
                .eq(field(name("c", "relnamespace"), Long.class))
                .and(field(name("n", "nspname"), String.class).eq(schema));
    }
}
