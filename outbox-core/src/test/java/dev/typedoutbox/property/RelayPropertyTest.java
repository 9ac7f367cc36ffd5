package dev.typedoutbox.property;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.sql.SQLException;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Random runs of writers with overlapping transactions, one to four relays, an operator, a stranger's locks, and a broker
 * and a database that fail. Whatever happens, every committed event is published and none of a transaction that was rolled back; an event is sent
 * only after the earlier ones of its aggregate were confirmed, save past a dead letter where aggregates go on; nothing is
 * sent again after it was marked, and nothing marked without its confirm; and attempts are refusals.
 */
class RelayPropertyTest {
    private static final List<String> LOUD = List.of("dev.typedoutbox.relay", "com.zaxxer.hikari");

    private static @Nullable PropertyDatabase database;

    @BeforeContainer
    static void open() throws SQLException {
        setLevel(Level.OFF);
        database = new PropertyDatabase();
    }

    @AfterContainer
    static void close() throws SQLException {
        try (PropertyDatabase open = database) {
            setLevel(null);
        }
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void relaysKeepTheirPromisesWhateverHappens(@ForAll("setups") Setup setup, @ForAll("actions") List<Action> actions)
            throws SQLException {
        PropertyDatabase open = database;
        if (open != null) {
            open.reset();
            new World(setup, open).run(actions);
        }
    }

    @Provide
    Arbitrary<Setup> setups() {
        return Runs.setups();
    }

    @Provide
    Arbitrary<List<Action>> actions() {
        return Runs.actions(80);
    }

    /** The faults are wanted, and the lines about them would be thousands. */
    private static void setLevel(@Nullable Level level) {
        LOUD.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(level));
    }
}
