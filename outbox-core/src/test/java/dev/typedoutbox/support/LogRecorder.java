package dev.typedoutbox.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Keeps the library's warnings and errors, as an operator would see them, until it is closed. */
public final class LogRecorder implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.typedoutbox");
    private final Level before = logger.getLevel();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage() + " " + event.getKeyValuePairs());
        }
    };

    public LogRecorder() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.WARN);
    }

    /** Each line with its keys and values, without the stack trace. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
