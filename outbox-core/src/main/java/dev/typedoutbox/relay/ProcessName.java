package dev.typedoutbox.relay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** What a relay is called unless told otherwise: its process and host. */
final class ProcessName {
    static final String VALUE = ProcessHandle.current().pid() + "@" + host();

    private ProcessName() {}

    /** As the system has it: the Java library would ask a name server, which may take its time. */
    private static String host() {
        return Stream.of(kernelsHostName(), variable("HOSTNAME"), variable("COMPUTERNAME"))
                .flatMap(Optional::stream)
                .filter(Settings::isName)
                .findFirst()
                .orElse("localhost");
    }

    private static Optional<String> kernelsHostName() {
        try {
            return Optional.of(
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name));
    }
}
