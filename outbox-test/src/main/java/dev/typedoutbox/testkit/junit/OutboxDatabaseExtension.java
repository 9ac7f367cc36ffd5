package dev.typedoutbox.testkit.junit;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.outbox.TestOutbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/**
 * A real PostgreSQL database with an outbox, for tests with JUnit 5. To be registered with {@code @RegisterExtension}: in a
 * static field, all tests of the class share the database, nested ones too, and the outbox is emptied before each; in a
 * field of the instance, each test has a new one.
 *
 * <p>The database is one that nobody else uses, on the one server of this JVM: that of the environment variable
 * {@value PostgresServer#URL_VARIABLE}, a JDBC URL with a user who may create databases; else one in a container, where a
 * Docker engine answers; else PostgreSQL's own binaries as Maven delivers them. The application's tables are made first, by
 * {@link Builder#setUp}, then the outbox's. The database is made when it is first needed, and dropped after the last test
 * that it is registered for, when all other extensions have done their work; what is still connected to it is cut off.
 * Classes that have one extension in common, such as that of a base class, have a database each where they run one after the
 * other, and share one while they run at the same time. Whoever asks for the database when it is dropped and no class or test
 * that it is registered for has begun since gets an {@link IllegalStateException}.
 *
 * <p>Needs {@code dev.typedoutbox:servers} on the class path of the tests.
 *
 * <p>Safe for use by several threads. Tests that run at the same time should not share a database, since each of them empties
 * its outbox.
 *
 * @since 0.1.0
 */
public final class OutboxDatabaseExtension implements BeforeAllCallback, BeforeEachCallback, ExecutionCondition {
    private static final Namespace NAMESPACE = Namespace.create(OutboxDatabaseExtension.class);
    private static final String PREFIX = "outbox_test";

    private final String schema;
    private final List<Consumer<DataSource>> setUps;
    private final boolean emptied;
    private @Nullable Database database;

    /** How many classes and tests there are with the end of whose last the database goes. */
    private int owners;

    /** Whether all owners have ended, and none has begun since. */
    private boolean ended;

    private OutboxDatabaseExtension(Builder builder) {
        this.schema = builder.schema;
        this.setUps = List.copyOf(builder.setUps);
        this.emptied = builder.emptied;
    }

    /**
     * A database with an outbox in schema {@value OutboxSchema#DEFAULT_SCHEMA}, emptied before each test.
     *
     * @return the extension
     */
    public static OutboxDatabaseExtension create() {
        return builder().build();
    }

    /**
     * Begins a database with other settings than the defaults.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A data source without a pool: each connection is a new one.
     *
     * @return the data source, of the same database until that is dropped
     */
    public DataSource dataSource() {
        return database().dataSource();
    }

    /**
     * The JDBC URL, for a pool or a framework of the application's own.
     *
     * @return the URL, without user and password
     */
    public String jdbcUrl() {
        return database().jdbcUrl();
    }

    /**
     * The user to connect as, a superuser unless the server is an external one.
     *
     * @return the user's name
     */
    public String user() {
        return database().user();
    }

    /**
     * The password of {@link #user}.
     *
     * @return the password, empty if the server asks for none
     */
    public String password() {
        return database().password();
    }

    /**
     * The outbox in the database.
     *
     * @return the outbox
     */
    public TestOutbox outbox() {
        return TestOutbox.of(dataSource(), schema);
    }

    /**
     * Disables nothing: JUnit asks before it calls any extension, and some of them need the database before this one's {@link
     * #beforeAll}.
     */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        own(context);
        return ConditionEvaluationResult.enabled("has a database");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        own(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        own(context);
        if (emptied) {
            outbox().empty();
        }
    }

    private synchronized void own(ExtensionContext context) {
        Store store = context.getStore(NAMESPACE);
        // A class is an owner for its tests and nested classes as well: they end before it, and find its share.
        if (store.get(this) == null) {
            // Closed after all that other extensions do at the end, such as Spring's closing of the application.
            store.put(this, new Share(this::leave));
            owners++;
            ended = false;
        }
    }

    private synchronized void leave() {
        owners--;
        if (owners > 0) {
            return;
        }
        ended = true;
        Database dropped = database;
        database = null;
        if (dropped != null) {
            PostgresServer.shared().dropDatabase(dropped);
        }
    }

    private synchronized Database database() {
        Database known = database;
        if (known == null) {
            if (ended) {
                throw new IllegalStateException(
                        "The database was dropped after the last test that this extension is registered for: end what uses it"
                                + " before, or register the extension for the test that needs it");
            }
            known = setUp(emptyDatabase());
            database = known;
        }
        return known;
    }

    /** Here alone the servers can be missing; what the application's work misses is its own. */
    private static Database emptyDatabase() {
        try {
            return PostgresServer.shared().createDatabase(PREFIX);
        } catch (NoClassDefFoundError e) {
            throw Missing.servers(e);
        }
    }

    private Database setUp(Database created) {
        boolean done = false;
        try {
            // The outbox's last: Flyway takes no schema that holds tables already, unless it is told to.
            setUps.forEach(setUp -> setUp.accept(created.dataSource()));
            OutboxSchema.migrate(created.dataSource(), schema);
            done = true;
            return created;
        } finally {
            if (!done) {
                PostgresServer.shared().dropDatabase(created);
            }
        }
    }

    /** Collects the settings of an {@link OutboxDatabaseExtension}. Not safe for use by several threads. */
    public static final class Builder {
        private String schema = OutboxSchema.DEFAULT_SCHEMA;
        private final List<Consumer<DataSource>> setUps = new ArrayList<>();
        private boolean emptied = true;

        private Builder() {}

        /**
         * Sets the schema that is to hold the outbox's tables. Default: {@value OutboxSchema#DEFAULT_SCHEMA}.
         *
         * @param name the schema's name, capitals kept; it is created
         * @return this builder
         * @throws IllegalArgumentException if it is no schema's: see {@link OutboxSchema#requireName}
         */
        public Builder schema(String name) {
            this.schema = OutboxSchema.requireName(name);
            return this;
        }

        /**
         * Adds what is done once with the new database while it is empty, such as the application's own migrations: Flyway
         * with its defaults refuses a schema that holds tables already. The outbox is migrated after all of it. Work that needs
         * the outbox's tables calls {@link OutboxSchema#migrate(DataSource, String)} first, with the schema of
         * {@link #schema}, and is added after the application's migrations. Default: nothing.
         *
         * @param work what is done, after what was added before; if it throws, so does whatever needs the database
         * @return this builder
         */
        public Builder setUp(Consumer<DataSource> work) {
            setUps.add(Objects.requireNonNull(work, "work"));
            return this;
        }

        /**
         * Keeps what the tests before have left in the outbox. Default: it is emptied before each test, before the test's
         * own {@code @BeforeEach}.
         *
         * @return this builder
         */
        public Builder keepingEvents() {
            this.emptied = false;
            return this;
        }

        /**
         * Makes the extension; the database is not there yet.
         *
         * @return the extension
         */
        public OutboxDatabaseExtension build() {
            return new OutboxDatabaseExtension(this);
        }
    }

    /**
     * A class's or a test's share in the database, which JUnit closes at its end. JUnit before 5.13, such as that of Spring
     * Boot 3.5, closes nothing but a {@code CloseableResource}; later ones warn of one that is not {@link AutoCloseable} too.
     */
    @SuppressWarnings("deprecation")
    private static final class Share implements CloseableResource, AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final Runnable end;

        Share(Runnable end) {
            this.end = end;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                end.run();
            }
        }
    }
}
