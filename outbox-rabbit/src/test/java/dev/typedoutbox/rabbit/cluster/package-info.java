/** Several relays on one outbox. */
@NullMarked
package dev.typedoutbox.rabbit.cluster;

import org.jspecify.annotations.NullMarked;
