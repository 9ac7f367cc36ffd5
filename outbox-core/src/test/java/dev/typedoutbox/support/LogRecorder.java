package dev.typedoutbox.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Keeps the library's warnings and errors, as an operator would see them, or more, until it is closed. */
public final class LogRecorder implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.typedoutbox");
    private final Level before = logger.getLevel();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    public LogRecorder() {
        this(Level.WARN);
    }

    public LogRecorder(Level level) {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(level);
    }

    /** Each line with its keys and values, without the stack trace. */
    public List<String> lines() {
        return events.stream()
                .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs())
                .toList();
    }

    /** The keys and values of the lines with this message. */
    public List<Map<String, Object>> fieldsOf(String message) {
        return events.stream()
                .filter(event -> event.getFormattedMessage().equals(message))
                .map(LogRecorder::fields)
                .toList();
    }

    private static Map<String, Object> fields(ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, pair.value));
        }
        return fields;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
