package dev.typedoutbox.benchmark.harness;

/** Something to measure. */
interface Scenario {
    /** How the options and the report call it. */
    String name();

    /** Measures it with all contenders that take part. */
    void run(Lab lab) throws Exception;
}
