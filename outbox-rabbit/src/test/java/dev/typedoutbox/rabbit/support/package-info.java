/** What the tests share: a database, a broker with an exchange and a queue, and a ledger of what arrived. */
@NullMarked
package dev.typedoutbox.rabbit.support;

import org.jspecify.annotations.NullMarked;
