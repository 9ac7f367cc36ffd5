package dev.typedoutbox.standalone;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The outbox's database: one data source for a command, a pool and a listening connection for a relay. */
final class DatabaseAccess {
    private static final int DEFAULT_PORT = 5432;

    /** For each host of the URL, so that a host that does not even refuse is passed over. */
    private static final int CONNECT_SECONDS = 5;

    private static final int LONGEST_CONNECT_SECONDS = 30;

    /** A connection whose other end is gone, and that nobody told so, ends after this. Commands may take their time. */
    private static final Duration COMMAND_ANSWER = Duration.ofMinutes(10);

    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final Duration CONNECTION_LIFE = Duration.ofMinutes(10);

    private final Settings settings;
    private final Setting listenUrl;
    private final PGSimpleDataSource address;

    private DatabaseAccess(Settings settings) {
        this.settings = settings;
        this.listenUrl = settings.has(Setting.LISTEN_JDBC_URL) ? Setting.LISTEN_JDBC_URL : Setting.JDBC_URL;
        this.address = source(Setting.JDBC_URL);
    }

    static DatabaseAccess of(Settings settings) {
        DatabaseAccess access = new DatabaseAccess(settings);
        // What is wrong with it shows before anything is started.
        access.forListening();
        return access;
    }

    /** Without a pool, for a command that needs one connection after the other. */
    DataSource forCommand() {
        WarmUp.await();
        return ExplainedDataSource.of(bounded(COMMAND_ANSWER), toString());
    }

    /** Without any bound on how long a statement takes, as an index on a large table does. */
    DataSource forMigration() {
        WarmUp.await();
        return ExplainedDataSource.of(source(Setting.JDBC_URL), toString());
    }

    /** To be given to the relay alone, which sets its time-outs. */
    PGSimpleDataSource forListening() {
        return source(listenUrl);
    }

    HikariDataSource pool(int connections, int idle) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(Commands.NAME);
        config.setDataSource(bounded(ANSWER));
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(idle);
        // The relay waits for a database that is not there, and so does its pool.
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(connectTime().toMillis());
        config.setMaxLifetime(CONNECTION_LIFE.toMillis());
        config.setExceptionOverride(new EvictStandbys());
        return new HikariDataSource(config);
    }

    private Duration connectTime() {
        int seconds = CONNECT_SECONDS * address.getServerNames().length + 1;
        return Duration.ofSeconds(Math.min(seconds, LONGEST_CONNECT_SECONDS));
    }

    /** Hosts, ports and the database; no user, no password. */
    @Override
    public String toString() {
        String[] hosts = address.getServerNames();
        int[] ports = address.getPortNumbers();
        return IntStream.range(0, hosts.length)
                        .mapToObj(i -> hosts[i] + ":" + (ports[i] == 0 ? DEFAULT_PORT : ports[i]))
                        .collect(Collectors.joining(","))
                + "/" + address.getDatabaseName();
    }

    /** Each has its own: they differ in their time-outs. */
    private PGSimpleDataSource bounded(Duration answer) {
        PGSimpleDataSource source = source(Setting.JDBC_URL);
        if (source.getSocketTimeout() == 0) {
            source.setSocketTimeout(Math.toIntExact(answer.toSeconds()));
        }
        return source;
    }

    private PGSimpleDataSource source(Setting setting) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        setUrl(setting, source);
        settings.optionalText(Setting.JDBC_USER).ifPresent(source::setUser);
        settings.secret(Setting.JDBC_PASSWORD, Setting.JDBC_PASSWORD_FILE).ifPresent(source::setPassword);
        return source;
    }

    private void setUrl(Setting setting, PGSimpleDataSource source) {
        String url = settings.text(setting);
        if (settings.isOnCommandLine(setting) && Redacted.hasPassword(url)) {
            throw settings.wrong(
                    setting,
                    "without a password, which others can see there: set " + Setting.JDBC_PASSWORD.variable() + " or "
                            + Setting.JDBC_PASSWORD_FILE.option());
        }
        try {
            source.setURL(url);
            JdbcParameters given = JdbcParameters.of(url);
            given.brokenRule().ifPresent(rule -> {
                throw settings.wrong(setting, rule);
            });
            setDefaults(given, source);
        } catch (IllegalArgumentException e) {
            // The driver's own message holds the URL as it is.
            throw settings.wrong(setting, "jdbc:postgresql://host:port/database");
        }
    }

    private static void setDefaults(JdbcParameters given, PGSimpleDataSource source) {
        if (!given.has("connectTimeout")) {
            source.setConnectTimeout(CONNECT_SECONDS);
        }
        if (!given.has("tcpKeepAlive")) {
            source.setTcpKeepAlive(true);
        }
        if (!given.has("ApplicationName")) {
            source.setApplicationName(Commands.NAME);
        }
        if (!given.has("logServerErrorDetail")) {
            // The detail of an error may be the whole row, and with it the payload.
            source.setLogServerErrorDetail(false);
        }
    }
}
