package dev.typedoutbox.store;

/**
 * How much one batch may hold.
 *
 * @param rows how many rows
 * @param bytes how large they may be together, but for the first
 * @param rowBytes how large one may be
 */
public record BatchBounds(int rows, long bytes, int rowBytes) {}
