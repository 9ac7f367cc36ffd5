package dev.typedoutbox.standalone;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import org.slf4j.LoggerFactory;

/** Sets the log up in code: to read it from a file costs a tenth of the time to start. */
final class Logging {
    /** Names and errors are other people's text: none may look like a line of its own, or be obeyed by a terminal. */
    private static final String TEXT = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level"
            + " %replace(%replace(%msg %kvp){'\\s*[\\r\\n]+\\s*', ' '}){'[\\x00-\\x1f\\x7f-\\x9f]', '?'}%n";

    /** What these would say, the relay says itself, once. */
    private static final String[] REPEATERS = {"com.zaxxer.hikari", "com.rabbitmq.client.impl.ForgivingExceptionHandler"
    };

    /** The driver logs by other means than all else; held, since its logger is forgotten when nobody does. */
    private static final java.util.logging.Logger DRIVER = java.util.logging.Logger.getLogger("org.postgresql");

    private Logging() {}

    /** To be called first: the log's own default tells everything, among the results. */
    static void silence() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }

    /** Only the product's own lines go below warnings: those of others may hold what must not be shown. */
    static void setUp(Settings settings) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(console(context, settings.text(Setting.LOG_FORMAT)));
        Level own = Level.toLevel(settings.text(Setting.LOG_LEVEL));
        root.setLevel(own.isGreaterOrEqual(Level.WARN) ? own : Level.WARN);
        context.getLogger("dev.typedoutbox").setLevel(own);
        for (String name : REPEATERS) {
            context.getLogger(name).setLevel(Level.ERROR);
        }
        DRIVER.setLevel(java.util.logging.Level.OFF);
    }

    private static ConsoleAppender<ILoggingEvent> console(LoggerContext context, String format) {
        Encoder<ILoggingEvent> encoder = format.equals("json") ? new JsonLines() : text();
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        return console;
    }

    static PatternLayoutEncoder text() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(TEXT);
        return encoder;
    }
}
