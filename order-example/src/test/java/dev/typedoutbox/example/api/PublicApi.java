package dev.typedoutbox.example.api;

import dev.typedoutbox.Outbox;
import dev.typedoutbox.admin.AdminServer;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.outbox.OutboxAssertions;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A published module, and the types that its users may name. */
enum PublicApi {
    DB("db", OutboxSchema.class),
    CORE("outbox-core", Outbox.class),
    RABBIT("outbox-rabbit", RabbitPublisher.class),
    RELAY("outbox-relay", AdminServer.class),
    TEST("outbox-test", OutboxAssertions.class),
    SERVERS("servers", PostgresServer.class);

    private static final String CLASS_FILE = ".class";
    private static final List<String> NOT_FOR_USERS =
            List.of("dev.typedoutbox.store.", "dev.typedoutbox.db.generated.", "dev.typedoutbox.servers.codegen.");

    private final String module;
    private final Class<?> anyType;

    PublicApi(String module, Class<?> anyType) {
        this.module = module;
        this.anyType = anyType;
    }

    String module() {
        return module;
    }

    List<Class<?>> types() {
        return classNames().stream()
                .filter(name -> NOT_FOR_USERS.stream().noneMatch(name::startsWith))
                .sorted()
                .<Class<?>>map(this::load)
                .filter(PublicApi::canBeNamed)
                .toList();
    }

    String listing() {
        Stream<String> title = Stream.of("Public API of " + module + "; see docs/versioning.md");
        Stream<String> lines = types().stream().flatMap(type -> new TypeListing(type).lines());
        return String.join("\n", Stream.concat(title, lines).toList()) + "\n";
    }

    /** From a folder, or from a jar once the module is packaged. */
    private List<String> classNames() {
        try {
            Path place = Path.of(
                    anyType.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(place)) {
                return classNamesUnder(place);
            }
            try (FileSystem jar = FileSystems.newFileSystem(place)) {
                return classNamesUnder(jar.getPath("/"));
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("classes of " + module + " could not be read", e);
        }
    }

    private static List<String> classNamesUnder(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(CLASS_FILE))
                    .map(file -> file.substring(0, file.length() - CLASS_FILE.length())
                            .replace('/', '.')
                            .replace('\\', '.'))
                    .toList();
        }
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name, false, anyType.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean canBeNamed(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || canBeNamed(outer));
    }
}
