package dev.typedoutbox.store;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.generated.Public;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** Makes jOOQ contexts that find the generated tables in the schema where they really are. */
public final class OutboxDsl {
    private final String schema;
    private final Settings settings;

    public OutboxDsl(String schema) {
        OutboxSchema.requireName(schema);
        this.schema = schema;
        this.settings = new Settings()
                .withExecuteLogging(false)
                .withRenderMapping(new RenderMapping()
                        .withSchemata(new MappedSchema()
                                .withInput(Public.PUBLIC.getName())
                                .withOutput(schema)));
    }

    String schema() {
        return schema;
    }

    /** A context that writes SQL, and runs none. */
    DSLContext unconnected() {
        return DSL.using(SQLDialect.POSTGRES, settings);
    }

    public DSLContext on(Connection connection) {
        return DSL.using(connection, SQLDialect.POSTGRES, settings);
    }

    /** A context that outlives its connections, and with it what jOOQ has found out about the tables. */
    public DSLContext on(ConnectionProvider connections) {
        return DSL.using(connections, SQLDialect.POSTGRES, settings);
    }

    /** A context on the caller's connection that keeps the caller's listeners, and whatever transaction is open. */
    public DSLContext on(Connection connection, Configuration caller) {
        return DSL.using(caller.derive(connection)
                .derive(new NestedTransactions(connection))
                .derive(SQLDialect.POSTGRES)
                .derive(settings));
    }

    /** Does work in a transaction that is open already; if it fails, the transaction is as it was before, and goes on. */
    public static void inSavepoint(DSLContext tx, Consumer<DSLContext> work) {
        tx.connection(connection -> DSL.using(tx.configuration().derive(new NestedTransactions(connection)))
                .transaction(savepoint -> work.accept(savepoint.dsl())));
    }

    /** A plain context for an application's own statements in a transaction that is ours to end. */
    public static DSLContext forApplication(Connection connection) {
        DSLContext plain = DSL.using(connection, SQLDialect.POSTGRES);
        return forApplication(connection, plain.configuration());
    }

    /** The same in the caller's transaction, with the caller's own listeners and settings. */
    public static DSLContext forApplication(Connection connection, Configuration caller) {
        return DSL.using(caller.derive(connection).derive(new NestedTransactions(connection)));
    }
}
