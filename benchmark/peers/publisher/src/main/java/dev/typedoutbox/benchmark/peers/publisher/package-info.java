/** Confirmed publishing for the peers that leave it to the application. */
@NullMarked
package dev.typedoutbox.benchmark.peers.publisher;

import org.jspecify.annotations.NullMarked;
