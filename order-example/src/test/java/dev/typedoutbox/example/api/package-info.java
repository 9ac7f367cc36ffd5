/** What users of the published modules may rely on, and that it does not change unseen. */
@NullMarked
package dev.typedoutbox.example.api;

import org.jspecify.annotations.NullMarked;
