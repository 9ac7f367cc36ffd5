package dev.typedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** A process that this JVM started, and everything that process started. */
final class ProcessTree {

    private final ProcessHandle root;

    ProcessTree(ProcessHandle root) {
        this.root = root;
    }

    /** Ends all of it with SIGKILL and waits until it is gone. */
    void kill() {
        List<ProcessHandle> processes = processes();
        processes.forEach(ProcessHandle::destroyForcibly);
        Readiness.await(
                "The end of process " + root.pid(), () -> processes.stream().allMatch(ProcessTree::isGone));
    }

    private static boolean isGone(ProcessHandle process) {
        // Under an init process that does not reap, a dead process stays visible, but without a command.
        return !process.isAlive() || process.info().command().isEmpty();
    }

    /** Stops the execution of all of it (SIGSTOP). */
    void freeze() {
        signal("-STOP");
    }

    /** Lets all of it run again (SIGCONT). */
    void thaw() {
        signal("-CONT");
    }

    /** One by one: the root starts helpers that may have ended meanwhile, and these must not spare the others. */
    private void signal(String signal) {
        for (ProcessHandle process : processes()) {
            if (!send(signal, process) && !isGone(process)) {
                throw new IllegalStateException("kill " + signal + " " + process.pid() + " failed");
            }
        }
    }

    private static boolean send(String signal, ProcessHandle process) {
        try {
            return new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending a signal", e);
        }
    }

    private List<ProcessHandle> processes() {
        return Stream.concat(Stream.of(root), root.descendants()).toList();
    }
}
