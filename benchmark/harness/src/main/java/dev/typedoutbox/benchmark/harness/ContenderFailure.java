package dev.typedoutbox.benchmark.harness;

/** A contender could not be measured, or did something wrong; the others go on. */
final class ContenderFailure extends Exception {
    private static final long serialVersionUID = 1;

    ContenderFailure(String message) {
        super(message);
    }
}
