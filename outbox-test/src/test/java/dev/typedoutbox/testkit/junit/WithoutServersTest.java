package dev.typedoutbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The module with the servers is optional. */
class WithoutServersTest {
    private final URLClassLoader loader = new URLClassLoader(
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Path::of)
                    .filter(entry -> StreamSupport.stream(entry.spliterator(), false)
                            .noneMatch(part -> part.toString().equals("servers")))
                    .map(WithoutServersTest::url)
                    .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());

    @AfterEach
    void close() throws IOException {
        loader.close();
    }

    @ParameterizedTest
    @CsvSource({"OutboxDatabaseExtension, dataSource", "BrokerExtension, uri"})
    void extensionNamesWhatIsMissing(String name, String getter) throws Exception {
        Class<?> type = loader.loadClass(getClass().getPackageName() + "." + name);
        Object extension = type.getMethod("create").invoke(null);

        assertThatThrownBy(() -> type.getMethod(getter).invoke(extension))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "dev.typedoutbox:servers and what it brings must be on the class path of the tests (was not: ")
                .hasMessageEndingWith("): add it in test scope");
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
