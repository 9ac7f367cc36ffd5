package dev.typedoutbox.example;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much of the log is shown; {@code logback.xml} shows warnings. */
final class Logging {
    /** The driver warns about bad URLs by itself, beside the error that the example shows. */
    private static final java.util.logging.Logger DRIVER = java.util.logging.Logger.getLogger("org.postgresql");

    private Logging() {}

    static void setUp(boolean verbose) {
        DRIVER.setLevel(java.util.logging.Level.OFF);
        logger("dev.typedoutbox").setLevel(verbose ? Level.INFO : null);
    }

    static void silence() {
        logger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }
}
