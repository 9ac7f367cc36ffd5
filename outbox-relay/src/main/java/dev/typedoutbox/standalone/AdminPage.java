package dev.typedoutbox.standalone;

import dev.typedoutbox.admin.AdminServer;
import dev.typedoutbox.admin.AdminServerBuilder;
import dev.typedoutbox.relay.RelayObserver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import javax.sql.DataSource;

/** The admin page, as the settings have it. */
final class AdminPage implements AutoCloseable {
    private final Settings settings;
    private final AdminServer server;

    private AdminPage(Settings settings, AdminServer server) {
        this.settings = settings;
        this.server = server;
    }

    /** What can be wrong with a page's settings beyond each of them. Asks the database nothing. */
    static void check(Settings settings, DataSource dataSource) {
        if (!settings.has(Setting.ADMIN_PORT)) {
            requireNone(settings);
            return;
        }
        Optional<String> token = settings.secret(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE);
        if (token.isEmpty() && !address(settings).isLoopbackAddress()) {
            throw settings.wrong(
                    Setting.ADMIN_ADDRESS,
                    "an address that this machine alone can reach, such as 127.0.0.1, where there is no "
                            + Setting.ADMIN_TOKEN);
        }
        // A page that is built and not started does nothing but look at what it was given.
        of(settings, dataSource);
    }

    /** Whoever sets one expects a page. */
    private static void requireNone(Settings settings) {
        Setting.all().stream()
                .filter(setting -> setting.group() == Group.ADMIN)
                .flatMap(setting -> settings.given(setting).stream())
                .filter(given -> given.source() != Given.Source.DEFAULT)
                .findFirst()
                .ifPresent(given -> {
                    throw Failure.usage(Setting.ADMIN_PORT + " must be given where " + given.name()
                            + " is (was not): without it there" + " is no admin page");
                });
    }

    static Optional<AdminPage> of(Settings settings, DataSource dataSource) {
        if (!settings.has(Setting.ADMIN_PORT)) {
            return Optional.empty();
        }
        AdminServerBuilder builder = AdminServer.builder(dataSource)
                .schema(settings.text(Setting.SCHEMA))
                .host(settings.text(Setting.ADMIN_ADDRESS))
                .port(settings.whole(Setting.ADMIN_PORT))
                .readOnly(settings.flag(Setting.ADMIN_READ_ONLY))
                .showPayloads(settings.flag(Setting.ADMIN_SHOW_PAYLOADS));
        settings.secret(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE).ifPresent(builder::token);
        try {
            return Optional.of(new AdminPage(settings, builder.build()));
        } catch (IllegalArgumentException e) {
            throw Failure.usage("the admin page's " + Reason.of(e));
        }
    }

    private static InetAddress address(Settings settings) {
        try {
            return InetAddress.getByName(settings.text(Setting.ADMIN_ADDRESS));
        } catch (UnknownHostException e) {
            throw settings.wrong(Setting.ADMIN_ADDRESS, "an address of this machine");
        }
    }

    RelayObserver observer() {
        return server.observer();
    }

    void start() {
        try {
            server.start();
        } catch (IllegalStateException e) {
            throw Failure.of(
                    Setting.ADMIN_ADDRESS + " and " + Setting.ADMIN_PORT
                            + " must be a free address of this machine (was " + settings.text(Setting.ADMIN_ADDRESS)
                            + ":" + settings.whole(Setting.ADMIN_PORT) + ")",
                    e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
