package dev.typedoutbox.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.support.OutboxDatabase;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** OpenTelemetry is optional: without its API on the class path everything but tracing works. */
class WithoutOpenTelemetryTest {
    private static final Path CLASSES = Path.of("target/classes");

    private final URLClassLoader loader = new URLClassLoader(
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("opentelemetry"))
                    .map(WithoutOpenTelemetryTest::url)
                    .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());

    @AfterEach
    void close() throws IOException {
        loader.close();
    }

    @Test
    void eventIsPublishedRelayedAndConsumed() throws Exception {
        PGSimpleDataSource database =
                (PGSimpleDataSource) OutboxDatabase.create().dataSource();
        Class<?> run = loader.loadClass(UntracedRun.class.getName());
        Thread.currentThread().setContextClassLoader(loader);
        try {
            Object consumed = run.getMethod("publishRelayAndConsume", String.class, String.class, String.class)
                    .invoke(null, database.getURL(), database.getUser(), database.getPassword());

            assertThat(consumed).isEqualTo(List.of("order.placed"));
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        }
    }

    @Test
    void everyOtherClassLoads() throws IOException {
        List<String> names = classNames();

        assertThat(names).contains("dev.typedoutbox.Outbox", "dev.typedoutbox.relay.Relay");
        assertThat(names).allSatisfy(name -> assertThatCode(() -> members(name)).doesNotThrowAnyException());
    }

    @Test
    void tracingItselfNeedsTheApi() {
        assertThatThrownBy(() -> members(OpenTelemetryTracing.class.getName()))
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessageContaining("io/opentelemetry");
    }

    /** Loads the class, and what its members name. */
    private List<Object> members(String name) throws ClassNotFoundException {
        Class<?> loaded = loader.loadClass(name);
        assertThat(loaded.getClassLoader()).isSameAs(loader);
        return List.of(loaded.getDeclaredMethods(), loaded.getDeclaredConstructors(), loaded.getDeclaredFields());
    }

    private static List<String> classNames() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.map(file -> CLASSES.relativize(file).toString())
                    .filter(file -> file.endsWith(".class"))
                    .map(file -> file.replace(".class", "").replace(File.separatorChar, '.'))
                    .filter(name -> !name.startsWith(WithoutOpenTelemetryTest.class.getPackageName()))
                    .toList();
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
