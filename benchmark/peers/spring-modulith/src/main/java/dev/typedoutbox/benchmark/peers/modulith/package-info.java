/** Spring Modulith's externalization of events to AMQP as a contender. */
@NullMarked
package dev.typedoutbox.benchmark.peers.modulith;

import org.jspecify.annotations.NullMarked;
