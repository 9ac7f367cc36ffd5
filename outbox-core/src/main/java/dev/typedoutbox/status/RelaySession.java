package dev.typedoutbox.status;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The connection on which a relay listens, as the database sees it. A relay that polls alone has none.
 *
 * @param name the relay's name, cut to the 44 bytes that the database has room for
 * @param pid the number of the database's own process that serves the connection
 * @param clientAddress where the relay is; null if it came by a socket in the file system, or if the role may not see it
 * @param since when it connected; the time of the reading if the role may not see it
 * @param isAsleep whether it sleeps and has writers notify; of several relays that sleep one does so for all
 * @since 0.1.0
 */
public record RelaySession(String name, int pid, @Nullable String clientAddress, Instant since, boolean isAsleep) {}
