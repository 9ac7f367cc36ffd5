/** namastack-outbox as a contender. */
@NullMarked
package dev.typedoutbox.benchmark.peers.namastack;

import org.jspecify.annotations.NullMarked;
