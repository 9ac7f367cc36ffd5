package dev.typedoutbox.cleanup;

import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a cleanup.
 *
 * @param publishedEvents how long they are kept; null for ever
 * @param processedEvents how long they are kept; null for ever
 */
record CleanupSettings(
        DataSource dataSource,
        String schema,
        @Nullable Duration publishedEvents,
        @Nullable Duration processedEvents,
        Duration every) {}
