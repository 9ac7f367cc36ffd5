/**
 * The order service. Read {@code OrderService} first: it writes the events. {@code OrderApplication} shows what else it
 * takes to have them published and consumed.
 */
@NullMarked
package dev.typedoutbox.example.orders;

import org.jspecify.annotations.NullMarked;
