package dev.typedoutbox.servers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes at the exit of the JVM what nobody closed before. */
final class OpenServers {

    private static final Logger LOG = LoggerFactory.getLogger(OpenServers.class);
    private static final Set<AutoCloseable> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OpenServers::closeAll, "close-servers"));
    }

    private OpenServers() {}

    static void add(AutoCloseable server) {
        OPEN.add(server);
    }

    /** True for the first caller only, who then has to close the server. */
    static boolean remove(AutoCloseable server) {
        return OPEN.remove(server);
    }

    private static void closeAll() {
        for (AutoCloseable server : OPEN) {
            try {
                server.close();
            } catch (Exception e) {
                LOG.atWarn().setCause(e).log("A server could not be closed");
            }
        }
    }
}
