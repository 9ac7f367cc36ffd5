package dev.typedoutbox.servers;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/** Tells whether a Docker engine answers; an installed client alone does not count. */
final class DockerEngine {

    private DockerEngine() {}

    static boolean answers(Function<String, @Nullable String> environment) {
        // Testcontainers reports each place it looks at in vain as an error, so it is asked only with good prospects.
        return mayAnswer(environment) && answersTestcontainers();
    }

    private static boolean mayAnswer(Function<String, @Nullable String> environment) {
        String host = environment.apply("DOCKER_HOST");
        if (host != null && !host.isBlank()) {
            return !host.startsWith("unix:") || accepts(Path.of(host.replaceFirst("^unix:/*", "/")));
        }
        return sockets(environment).anyMatch(DockerEngine::accepts) || isWindows();
    }

    private static Stream<Path> sockets(Function<String, @Nullable String> environment) {
        Path home = Path.of(System.getProperty("user.home"));
        String runtimeFolder = environment.apply("XDG_RUNTIME_DIR");
        return Stream.of(
                Path.of("/var/run/docker.sock"),
                home.resolve(".docker/run/docker.sock"),
                home.resolve(".docker/desktop/docker.sock"),
                Path.of(runtimeFolder == null ? "/run" : runtimeFolder, "docker.sock"));
    }

    private static boolean accepts(Path socket) {
        if (!Files.exists(socket)) {
            return false;
        }
        SocketAddress address = UnixDomainSocketAddress.of(socket);
        try (SocketChannel channel = SocketChannel.open(address)) {
            return channel.isConnected();
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean isWindows() {
        return System.getProperty("os.name").startsWith("Windows")
                && Files.exists(Path.of("\\\\.\\pipe\\docker_engine"));
    }

    private static boolean answersTestcontainers() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (RuntimeException | LinkageError e) {
            return false;
        }
    }
}
