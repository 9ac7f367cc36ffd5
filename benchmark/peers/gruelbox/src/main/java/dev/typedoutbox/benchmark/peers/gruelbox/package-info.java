/** gruelbox transaction-outbox as a contender. */
@NullMarked
package dev.typedoutbox.benchmark.peers.gruelbox;

import org.jspecify.annotations.NullMarked;
