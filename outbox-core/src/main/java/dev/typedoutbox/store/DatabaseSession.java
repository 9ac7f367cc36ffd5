package dev.typedoutbox.store;

/**
 * The session that a transaction of the relay runs in, as far as it matters for what was learnt in others.
 *
 * <p>A session ends when its server crashes or is replaced. So what was learnt from a server later than a session became
 * known is still true in that session.
 *
 * @param server the run of the server that it belongs to; another after a restart or a failover
 * @param primary whether the server takes writes
 * @param knownSince the {@link System#nanoTime} by which it had begun
 */
public record DatabaseSession(String server, boolean primary, long knownSince) {}
