package dev.typedoutbox.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the start script of an installed RabbitMQ. */
final class RabbitInstallation {

    private static final String SCRIPT = "rabbitmq-server";
    private static final Path PACKAGE_FOLDER = Path.of("/usr/lib/rabbitmq");
    private static final List<Path> OTHER_FOLDERS = Stream.of(
                    "/opt/rabbitmq/sbin",
                    "/opt/homebrew/opt/rabbitmq/sbin",
                    "/usr/local/opt/rabbitmq/sbin",
                    "/home/linuxbrew/.linuxbrew/opt/rabbitmq/sbin",
                    "/usr/local/sbin")
            .map(Path::of)
            .toList();

    private RabbitInstallation() {}

    /** That of {@link AmqpServer#SERVER_VARIABLE}, if it names one. */
    static Optional<Path> named(Function<String, @Nullable String> environment) {
        String name = environment.apply(AmqpServer.SERVER_VARIABLE);
        if (name == null || name.isBlank()) {
            return Optional.empty();
        }
        Path script = Path.of(name);
        if (Files.isDirectory(script) || !Files.isExecutable(script)) {
            throw new IllegalStateException(
                    AmqpServer.SERVER_VARIABLE + " must name an executable file (was " + name + ")");
        }
        return Optional.of(script);
    }

    static Optional<Path> findScript(Function<String, @Nullable String> environment) {
        return named(environment).or(() -> search(environment));
    }

    private static Optional<Path> search(Function<String, @Nullable String> environment) {
        // PATH comes last: there, Linux packages put a wrapper that changes to the user of the system's service.
        return Stream.of(packaged(), OTHER_FOLDERS, onPath(environment))
                .flatMap(List::stream)
                .map(folder -> folder.resolve(SCRIPT))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static List<Path> packaged() {
        List<Path> folders = new ArrayList<>(List.of(PACKAGE_FOLDER.resolve("bin")));
        if (Files.isDirectory(PACKAGE_FOLDER.resolve("lib"))) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(PACKAGE_FOLDER.resolve("lib"))) {
                versions.forEach(version -> folders.add(version.resolve("sbin")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return folders;
    }

    private static List<Path> onPath(Function<String, @Nullable String> environment) {
        String path = environment.apply("PATH");
        return path == null
                ? List.of()
                : Arrays.stream(path.split(File.pathSeparator, -1))
                        .map(Path::of)
                        .toList();
    }
}
