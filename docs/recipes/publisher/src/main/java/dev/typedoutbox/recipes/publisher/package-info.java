/** A publisher that is not RabbitMQ's: webhooks over HTTP. */
@NullMarked
package dev.typedoutbox.recipes.publisher;

import org.jspecify.annotations.NullMarked;
