/** How an outbox is doing: what is pending, what is dead, which relays listen. For status pages, commands and metrics. */
@NullMarked
package dev.typedoutbox.status;

import org.jspecify.annotations.NullMarked;
