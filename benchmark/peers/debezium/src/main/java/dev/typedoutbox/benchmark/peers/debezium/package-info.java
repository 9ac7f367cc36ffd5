/** Debezium's embedded engine with its outbox event router as a contender. */
@NullMarked
package dev.typedoutbox.benchmark.peers.debezium;

import org.jspecify.annotations.NullMarked;
