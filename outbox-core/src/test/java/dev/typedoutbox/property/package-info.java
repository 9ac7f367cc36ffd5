/** Random runs of writers, relays and a broker that fails, judged by a ledger of what should be so. */
@NullMarked
package dev.typedoutbox.property;

import org.jspecify.annotations.NullMarked;
