package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Settings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** The processes of the contenders. They stay warm from one scenario to the next, and do nothing in between. */
final class Fleet implements AutoCloseable {
    static final List<String> JVM_OPTIONS = List.of("-Xms256m", "-Xmx1g");

    private final Path folder;
    private final Postgres postgres;
    private final Broker broker;
    private final Drainer drainer;
    private final Screen screen;
    private final Map<String, PGSimpleDataSource> databases = new HashMap<>();
    private final Map<String, ContenderProcess> warm = new HashMap<>();
    private final Map<String, ContenderProcess> others = new HashMap<>();
    private final List<ContenderProcess> all = new ArrayList<>();

    Fleet(Path folder, Postgres postgres, Broker broker, Drainer drainer, Screen screen) {
        this.folder = folder;
        this.postgres = postgres;
        this.broker = broker;
        this.drainer = drainer;
        this.screen = screen;
    }

    /** Lets a contender work before it is measured. */
    @FunctionalInterface
    interface WarmUp {
        void run(ContenderProcess started) throws Exception;
    }

    /** The contender's process, which has drained before. */
    ContenderProcess warm(ContenderEntry entry) throws Exception {
        return warm(entry, drainer::warmUp);
    }

    /** The contender's process, which has worked before. */
    ContenderProcess warm(ContenderEntry entry, WarmUp warmUp) throws Exception {
        ContenderProcess known = warm.get(entry.name());
        if (known != null && known.isAlive()) {
            return known;
        }
        ContenderProcess started = prepared(entry, JVM_OPTIONS);
        screen.step("%s warms up", entry.name());
        warmUp.run(started);
        warm.put(entry.name(), started);
        return started;
    }

    /** A process with tables of its own, and cold. */
    ContenderProcess prepared(ContenderEntry entry, List<String> jvmOptions) throws Exception {
        databases.remove(entry.name());
        ContenderProcess started = start(entry, jvmOptions);
        started.prepare();
        return started;
    }

    /** A process that writes to the tables of {@link #warm}. */
    ContenderProcess writer(ContenderEntry entry) throws Exception {
        return other(entry, "writer");
    }

    /** One more relay of the tables of {@link #warm}, which has drained before. */
    ContenderProcess secondRelay(ContenderEntry entry) throws Exception {
        boolean isNew = !others.containsKey(entry.name() + " second relay");
        ContenderProcess relay = other(entry, "second relay");
        if (isNew) {
            drainer.warmUp(relay);
        }
        return relay;
    }

    private ContenderProcess other(ContenderEntry entry, String role) throws Exception {
        ContenderProcess known = others.get(entry.name() + " " + role);
        if (known != null && known.isAlive()) {
            return known;
        }
        ContenderProcess started = start(entry, JVM_OPTIONS);
        others.put(entry.name() + " " + role, started);
        return started;
    }

    PGSimpleDataSource database(ContenderEntry entry) throws SQLException {
        PGSimpleDataSource database = databases.get(entry.name());
        if (database == null) {
            database = postgres.createDatabase();
            databases.put(entry.name(), database);
        }
        return database;
    }

    /** Ends what failed, so that the next use begins anew. */
    void discard(ContenderEntry entry) throws InterruptedException {
        List<ContenderProcess> failed = new ArrayList<>(all);
        failed.removeIf(process -> !process.entry().name().equals(entry.name()));
        for (ContenderProcess process : failed) {
            process.close();
        }
        all.removeAll(failed);
        warm.values().removeAll(failed);
        others.values().removeAll(failed);
    }

    private ContenderProcess start(ContenderEntry entry, List<String> jvmOptions) throws Exception {
        PGSimpleDataSource database = database(entry);
        Settings settings = new Settings(
                database.getURL(),
                String.valueOf(database.getUser()),
                database.getPassword() == null ? "" : database.getPassword(),
                broker.uri().toString(),
                broker.exchange(),
                broker.queue(),
                entry.options());
        ContenderProcess process = ContenderProcess.start(entry, folder, settings, jvmOptions);
        all.add(process);
        return process;
    }

    @Override
    public void close() throws InterruptedException {
        for (ContenderProcess process : all) {
            process.close();
        }
    }
}
