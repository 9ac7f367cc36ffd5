package dev.typedoutbox.servers;

import com.github.dockerjava.api.DockerClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a Docker container. */
final class Container implements ServerProcess {

    private final GenericContainer<?> container;
    private final int hostPort;

    private Container(GenericContainer<?> container, int hostPort) {
        this.container = container;
        this.hostPort = hostPort;
    }

    @SuppressWarnings("resource") // The caller closes it.
    static Container start(String image, int port, Map<String, String> environment, String... command) {
        int hostPort = FreePort.find();
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withExposedPorts(port)
                .withEnv(environment)
                .withCommand(command);
        // A port that Docker chooses would be another one after a restart.
        container.setPortBindings(List.of(hostPort + ":" + port));
        container.start();
        return new Container(container, hostPort);
    }

    String host() {
        return container.getHost();
    }

    int port() {
        return hostPort;
    }

    @Override
    public String description() {
        return "The container of " + container.getDockerImageName();
    }

    @Override
    public boolean isControllable() {
        return true;
    }

    @Override
    public void stop() {
        docker().stopContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void kill() {
        docker().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void freeze() {
        docker().pauseContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void thaw() {
        docker().unpauseContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void administer(String... command) {
        try {
            ExecResult result = container.execInContainer(command);
            if (result.getExitCode() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + result.getStderr());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + command[0], e);
        }
    }

    @Override
    public void resume() {
        docker().startContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void close() {
        container.stop();
    }

    private DockerClient docker() {
        return container.getDockerClient();
    }
}
