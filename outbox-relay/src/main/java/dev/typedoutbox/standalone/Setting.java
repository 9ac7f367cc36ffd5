package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchema;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one table of settings. A setting's name gives its option, its variable and its key in the file; help, errors and
 * docs/relay.md say the same of it as this table does.
 */
final class Setting {
    private static final Map<String, Setting> ALL = new LinkedHashMap<>();

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration CENTURY = Duration.ofDays(36_500);
    private static final Kind NAME = Kind.text("NAME");
    private static final Kind FILE = Kind.text("FILE");
    private static final Kind PORT = Kind.whole(0, 65_535);
    private static final Kind WAIT = Kind.duration(MILLISECOND, WEEK);
    private static final Kind RETRY_WAIT = Kind.duration(MILLISECOND, YEAR);
    private static final Kind RETENTION = Kind.duration(Duration.ofMinutes(1), CENTURY);

    static final Setting JDBC_URL = add(
            Group.DATABASE,
            "jdbc-url",
            Kind.text("URL"),
            null,
            "The database that has the outbox, such as jdbc:postgresql://host:5432/database. Several hosts, for failover:"
                    + " jdbc:postgresql://a,b/database?targetServerType=primary. TLS, with the server verified:"
                    + " ?sslmode=verify-full&sslrootcert=FILE.");
    static final Setting JDBC_USER =
            add(Group.DATABASE, "jdbc-user", NAME, null, "Log in to the database as this user.");
    static final Setting JDBC_PASSWORD = addSecret(Group.DATABASE, "jdbc-password", "With this password.");
    static final Setting JDBC_PASSWORD_FILE =
            add(Group.DATABASE, "jdbc-password-file", FILE, null, "With the password in this file.");
    static final Setting SCHEMA = add(
            Group.DATABASE,
            "schema",
            Kind.schema(),
            OutboxSchema.DEFAULT_SCHEMA,
            "The schema that has the tables, as the database spells it.");

    static final Setting AMQP_URI = add(
            Group.BROKER,
            "amqp-uri",
            Kind.text("URI"),
            null,
            "RabbitMQ, such as amqp://host:5672/virtual-host, where %2F is the virtual host \"/\"; amqps: for TLS."
                    + " User and password may stand in it, but not on the command line.");
    static final Setting AMQP_USER =
            add(Group.BROKER, "amqp-user", NAME, null, "Log in to RabbitMQ as this user; guest if none is given.");
    static final Setting AMQP_PASSWORD = addSecret(Group.BROKER, "amqp-password", "With this password.");
    static final Setting AMQP_PASSWORD_FILE =
            add(Group.BROKER, "amqp-password-file", FILE, null, "With the password in this file.");
    static final Setting AMQP_CA_FILE = add(
            Group.BROKER,
            "amqp-ca-file",
            FILE,
            null,
            "Trust the certificates in this PEM file, and no others; the JVM's own trust store if none is given.");
    static final Setting AMQP_CERTIFICATE_FILE = add(
            Group.BROKER,
            "amqp-certificate-file",
            FILE,
            null,
            "Show RabbitMQ this client certificate: a PEM file, with its chain if it has one.");
    static final Setting AMQP_KEY_FILE = add(
            Group.BROKER,
            "amqp-key-file",
            FILE,
            null,
            "The key of the client certificate: a PEM file, PKCS#8, not encrypted.");
    static final Setting EXCHANGE = add(
            Group.BROKER,
            "exchange",
            NAME,
            null,
            "Publish to this exchange, with the event type as the routing key. It must be there.");

    static final Setting RELAY_NAME = add(
            Group.RELAY,
            "relay-name",
            NAME,
            null,
            "What this relay is called in the log and, with ? for what is not ASCII, in status, in at most 100"
                    + " characters; its process and host, if none is given.");
    static final Setting MIGRATE = add(
            Group.RELAY,
            "migrate",
            Kind.flag(),
            "false",
            "Create or update the tables first, as the command migrate does.");
    static final Setting WORKERS =
            add(Group.RELAY, "workers", Kind.whole(1, 64), "2", "How many batches may be under way at once.");
    static final Setting BATCH_SIZE =
            add(Group.RELAY, "batch-size", Kind.whole(1, 10_000), "500", "How many events a batch holds at most.");
    static final Setting MAX_BATCH_BYTES = add(
            Group.RELAY,
            "max-batch-bytes",
            Kind.bytes(Long.MAX_VALUE),
            "8MiB",
            "How large the payloads and headers of a batch are at most, together; one event is always taken.");
    static final Setting MAX_PAYLOAD_BYTES = add(
            Group.RELAY,
            "max-payload-bytes",
            Kind.bytes(Integer.MAX_VALUE),
            "32MiB",
            "An event whose payload and headers are larger becomes a dead letter, unread.");
    static final Setting ORDERED = add(
            Group.RELAY,
            "ordered",
            Kind.flag(),
            "true",
            "Keep the order of each aggregate's events. All relays of an outbox must agree.");
    static final Setting RETRY_ATTEMPTS = add(
            Group.RELAY,
            "retry-attempts",
            Kind.whole(1, Integer.MAX_VALUE),
            "8",
            "After so many refused attempts an event becomes a dead letter.");
    static final Setting RETRY_DELAY = add(
            Group.RELAY, "retry-delay", RETRY_WAIT, "1s", "The shortest wait before a refused event is tried again.");
    static final Setting RETRY_MAX_DELAY = add(
            Group.RELAY, "retry-max-delay", RETRY_WAIT, "5m", "The longest; the wait doubles from one to the other.");
    static final Setting DEAD_LETTER_POLICY = add(
            Group.RELAY,
            "dead-letter-policy",
            Kind.oneOf("go-on", "hold-aggregate"),
            "go-on",
            "Whether the later events of an aggregate with a dead letter go on, or wait for an operator. All relays of an"
                    + " outbox must agree.");
    static final Setting PUBLISHED_ROWS = add(
            Group.RELAY,
            "published-rows",
            Kind.oneOf("keep", "delete"),
            "keep",
            "Whether the row of a published event is marked and kept, or deleted at once.");
    static final Setting LISTEN = add(
            Group.RELAY,
            "listen",
            Kind.flag(),
            "true",
            "Hear of new events at once, on a connection of its own; otherwise the relay polls alone.");
    static final Setting LISTEN_JDBC_URL = add(
            Group.RELAY,
            "listen-jdbc-url",
            Kind.text("URL"),
            null,
            "Where to listen, if jdbc-url leads to a pooler in transaction mode, such as PgBouncer's: the server itself.");
    static final Setting POLL_INTERVAL = add(
            Group.RELAY,
            "poll-interval",
            WAIT,
            "250ms",
            "How long to rest when nothing was found, while it does not listen.");
    static final Setting FALLBACK_POLL_INTERVAL =
            add(Group.RELAY, "fallback-poll-interval", WAIT, "30s", "How long to rest at most, while it listens.");
    static final Setting CONFIRM_TIMEOUT = add(
            Group.RELAY,
            "confirm-timeout",
            WAIT,
            "10s",
            "What RabbitMQ has not confirmed by then is unknown, and is sent again.");
    static final Setting STATEMENT_TIMEOUT =
            add(Group.RELAY, "statement-timeout", WAIT, "30s", "How long one statement of the relay may take.");
    static final Setting CLOSE_TIMEOUT = add(
            Group.RELAY,
            "close-timeout",
            WAIT,
            "10s",
            "How long a relay that is told to stop waits for batches under way before it interrupts them.");

    static final Setting KEEP_PUBLISHED_EVENTS = add(
            Group.CLEANUP,
            "keep-published-events",
            RETENTION,
            null,
            "Delete published events that are older, now and then; if not given, none are deleted.");
    static final Setting KEEP_PROCESSED_EVENTS = add(
            Group.CLEANUP,
            "keep-processed-events",
            RETENTION,
            null,
            "Delete consumers' records that are older, now and then; if not given, none are deleted. A message that comes"
                    + " again after that is applied again.");
    static final Setting CLEANUP_INTERVAL = add(
            Group.CLEANUP,
            "cleanup-interval",
            Kind.duration(Duration.ofSeconds(1), WEEK),
            "1h",
            "How often to look for what is to be deleted.");

    static final Setting HEALTH_PORT = add(
            Group.HEALTH,
            "health-port",
            PORT,
            null,
            "Serve /health/live, /health/ready and /metrics at this port; 0 for any free one. If not given, nothing is"
                    + " served.");
    static final Setting HEALTH_ADDRESS = add(
            Group.HEALTH,
            "health-address",
            Kind.text("ADDRESS"),
            "127.0.0.1",
            "On this address; 0.0.0.0 is all of them.");

    static final Setting ADMIN_PORT = add(
            Group.ADMIN,
            "admin-port",
            PORT,
            null,
            "Serve the admin page at this port; 0 for any free one. If not given, there is none.");
    static final Setting ADMIN_ADDRESS = add(
            Group.ADMIN,
            "admin-address",
            Kind.text("ADDRESS"),
            "127.0.0.1",
            "On this address. One that others can reach needs a token.");
    static final Setting ADMIN_TOKEN = addSecret(Group.ADMIN, "admin-token", "Ask for this token.");
    static final Setting ADMIN_TOKEN_FILE =
            add(Group.ADMIN, "admin-token-file", FILE, null, "Ask for the token in this file.");
    static final Setting ADMIN_READ_ONLY =
            add(Group.ADMIN, "admin-read-only", Kind.flag(), "false", "Only show, and change nothing.");
    static final Setting ADMIN_SHOW_PAYLOADS =
            add(Group.ADMIN, "admin-show-payloads", Kind.flag(), "false", "Show the payloads of dead letters.");

    static final Setting LOG_LEVEL = add(
            Group.LOG,
            "log-level",
            Kind.oneOf("error", "warn", "info", "debug"),
            "info",
            "How much to tell, on the standard error stream.");
    static final Setting LOG_FORMAT =
            add(Group.LOG, "log-format", Kind.oneOf("text", "json"), "text", "For people, or one JSON object a line.");

    private final Group group;
    private final String name;
    private final Kind kind;
    private final @Nullable String fallback;
    private final String description;
    private final boolean secret;

    private Setting(
            Group group, String name, Kind kind, @Nullable String fallback, String description, boolean secret) {
        this.group = group;
        this.name = name;
        this.kind = kind;
        this.fallback = fallback;
        this.description = description;
        this.secret = secret;
    }

    private static Setting add(Group group, String name, Kind kind, @Nullable String fallback, String description) {
        return add(new Setting(group, name, kind, fallback, description, false));
    }

    /** What must not stand on a command line, which others can read. */
    private static Setting addSecret(Group group, String name, String description) {
        return add(new Setting(group, name, Kind.text("TEXT"), null, description, true));
    }

    private static Setting add(Setting setting) {
        ALL.put(setting.name, setting);
        return setting;
    }

    static Collection<Setting> all() {
        return Collections.unmodifiableCollection(ALL.values());
    }

    static Optional<Setting> named(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    Group group() {
        return group;
    }

    String name() {
        return name;
    }

    String option() {
        return "--" + name;
    }

    String variable() {
        return "OUTBOX_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    Kind kind() {
        return kind;
    }

    Optional<String> fallback() {
        return Optional.ofNullable(fallback);
    }

    String description() {
        return description;
    }

    boolean isSecret() {
        return secret;
    }

    @Override
    public String toString() {
        return name;
    }
}
