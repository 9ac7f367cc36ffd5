package dev.typedoutbox.example;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@link OrderExample} in a JVM of its own, for Maven: the embedded broker does not start under a plugin's class
 * loader. Terminal and signals reach it as if it had been started by hand.
 */
public final class FreshJvm {
    private static final int LONGEST_CLOSE_SECONDS = 40;

    private FreshJvm() {}

    /**
     * Runs the example to its end. When it fails, this JVM ends with the same status: all that Maven could add to the
     * example's own message is noise.
     *
     * @param args the example's options
     * @throws Exception if the JVM cannot be started
     */
    public static void main(String... args) throws Exception {
        Process example = new ProcessBuilder(command(args)).inheritIO().start();
        Thread end = new Thread(() -> end(example), "end-example");
        Runtime.getRuntime().addShutdownHook(end);
        int status = example.waitFor();
        if (status != 0) {
            System.exit(status);
        }
        Runtime.getRuntime().removeShutdownHook(end);
    }

    private static List<String> command(String... args) throws URISyntaxException, IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Short-lived: quick to start matters more than quick in the end.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djdk.console=java.base",
                "-classpath",
                classPath(),
                OrderExample.class.getName()));
        command.addAll(Arrays.asList(args));
        return command;
    }

    /** Maven puts the module and its dependencies into the class loader that this class comes from. */
    private static String classPath() throws URISyntaxException {
        if (!(FreshJvm.class.getClassLoader() instanceof URLClassLoader loader)) {
            return System.getProperty("java.class.path");
        }
        List<String> entries = new ArrayList<>();
        for (URL url : loader.getURLs()) {
            entries.add(Path.of(url.toURI()).toString());
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void end(Process example) {
        example.destroy();
        try {
            if (!example.waitFor(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                example.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
