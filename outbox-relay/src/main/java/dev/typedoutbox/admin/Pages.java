package dev.typedoutbox.admin;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The files of the page, which are in the jar and hold no data. */
final class Pages {
    static final String ASSETS = "/assets/";

    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final Map<String, String> TYPES = Map.of(
            "admin.css", "text/css; charset=utf-8",
            "icon.svg", "image/svg+xml",
            "main.js", SCRIPT,
            "live.js", SCRIPT,
            "overview.js", SCRIPT,
            "plot.js", SCRIPT,
            "deadletters.js", SCRIPT,
            "dialogs.js", SCRIPT,
            "api.js", SCRIPT,
            "text.js", SCRIPT);

    private final String index = read("index.html");
    private final String login = read("login.html");
    private final Map<String, String> assets =
            TYPES.keySet().stream().collect(Collectors.toUnmodifiableMap(Function.identity(), Pages::read));

    void addTo(RoutesConfig routes) {
        routes.get("/", context -> context.contentType(HTML).result(index));
        routes.get(ASSETS + "{name}", this::asset);
    }

    /** Takes a note of ours alone: it is not escaped. */
    void login(Context context, String note) {
        context.contentType(HTML).result(login.replace("<!--note-->", note));
    }

    private void asset(Context context) {
        String name = context.pathParam("name");
        String text = assets.get(name);
        if (text == null) {
            throw new Refusal(HttpStatus.NOT_FOUND, "there is no such file");
        }
        context.contentType(TYPES.getOrDefault(name, SCRIPT)).result(text);
    }

    private static String read(String name) {
        try (InputStream file = Objects.requireNonNull(Pages.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
