package dev.typedoutbox.standalone;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The settings in the environment. An unknown name is an error, since a setting that is not heeded is worse. */
final class EnvironmentVariables {
    static final String CONFIG = "OUTBOX_CONFIG";

    private static final String PREFIX = "OUTBOX_";

    /** What Kubernetes tells each container of the services around it: one that is called outbox-relay gives such names. */
    private static final Pattern SERVICE_NAME =
            Pattern.compile(".*_SERVICE_(HOST|PORT|PORT_.*)|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?");

    private static final Pattern SERVICE_PORT = Pattern.compile("(tcp|udp|sctp)://.*");

    private final Map<String, String> environment;

    EnvironmentVariables(Map<String, String> environment) {
        this.environment = environment;
    }

    /** An empty one counts as not given, since compose files and unit files cannot leave one out. */
    Optional<String> value(String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(text -> !text.isBlank())
                .filter(text -> !isOfAService(name, text));
    }

    Optional<Given> given(Setting setting) {
        String name = setting.variable();
        return value(name).map(text -> new Given(text, Given.Source.ENVIRONMENT, name));
    }

    void requireKnownNames() {
        Collection<String> known = Stream.concat(Setting.all().stream().map(Setting::variable), Stream.of(CONFIG))
                .toList();
        List<String> unknown = environment.keySet().stream()
                .filter(name -> name.startsWith(PREFIX))
                .filter(name -> !known.contains(name))
                .filter(name -> !isOfAService(name, environment.getOrDefault(name, "")))
                .sorted()
                .toList();
        if (!unknown.isEmpty()) {
            String name = unknown.get(0);
            throw Failure.usage("environment variables that begin with " + PREFIX + " must be settings (was " + name
                    + ")" + Nearest.hint(name, known));
        }
    }

    private static boolean isOfAService(String name, String text) {
        return SERVICE_NAME.matcher(name).matches()
                || (name.endsWith("_PORT") && SERVICE_PORT.matcher(text).matches());
    }
}
