/** What the publisher and the consumer promise, against a real broker. */
@NullMarked
package dev.typedoutbox.rabbit.contract;

import org.jspecify.annotations.NullMarked;
