package dev.typedoutbox.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files in the folder deploy. */
final class DeployFiles {
    static final Path FOLDER = Path.of("deploy");

    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private DeployFiles() {}

    static String text(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(String file) {
        try {
            return JSON.readTree(text(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }

    /** All documents of a YAML file, with their anchors resolved. */
    static List<JsonNode> yaml(String file) {
        Iterable<Object> documents = new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text(file));
        return StreamSupport.stream(documents.spliterator(), false)
                .map(document -> JSON.<JsonNode>valueToTree(document))
                .toList();
    }

    /** The rules of the alerts, in all groups. */
    static List<JsonNode> rules() {
        return elements(yaml("prometheus/alerts.yml").get(0).path("groups"))
                .flatMap(group -> elements(group.path("rules")))
                .toList();
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    /** The files and folders below, by their path. */
    static List<Path> all() {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
