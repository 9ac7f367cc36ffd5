package dev.typedoutbox.relay;

import dev.typedoutbox.store.Purge;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells who may have forgotten it that published rows stay: a relay cannot know whether anybody deletes them, but sees. */
final class KeptRows {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration LONG = Duration.ofDays(30);

    private KeptRows() {}

    static void tell(DataSource dataSource, String schema) {
        try {
            if (Purge.ofPublishedEvents(schema).seemsDue(dataSource, LONG)) {
                LOG.info(
                        "outbox_events has rows of events that were published more than {} days ago: unless that is wanted,"
                                + " run a Cleanup, or set publishedRows to DELETE",
                        LONG.toDays());
            }
        } catch (DataAccessException e) {
            LOG.debug("published rows could not be looked at", e);
        }
    }
}
