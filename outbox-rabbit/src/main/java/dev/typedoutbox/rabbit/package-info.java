/** RabbitMQ: publishing events with confirms, and consuming them with acknowledgements. */
@NullMarked
package dev.typedoutbox.rabbit;

import org.jspecify.annotations.NullMarked;
