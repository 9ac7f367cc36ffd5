package dev.typedoutbox.standalone;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Lets the pool give up connections to a server that has become a standby: it will not write again, and another host of the
 * URL may.
 */
final class EvictStandbys implements SQLExceptionOverride {
    private static final String READ_ONLY = "25006";

    // The interface has an Override of its own.
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
