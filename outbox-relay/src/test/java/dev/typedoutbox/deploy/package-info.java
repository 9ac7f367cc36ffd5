/** What lies in the folder deploy, and what docs/operations.md says. */
@NullMarked
package dev.typedoutbox.deploy;

import org.jspecify.annotations.NullMarked;
