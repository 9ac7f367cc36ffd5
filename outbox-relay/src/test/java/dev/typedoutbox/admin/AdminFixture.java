package dev.typedoutbox.admin;

import java.net.URI;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A page on a database of its own. */
final class AdminFixture implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef";

    private final AdminDatabase database = AdminDatabase.create();
    private final AdminServer server;
    private final AdminClient client;

    AdminFixture(UnaryOperator<AdminServerBuilder> settings) {
        server = settings.apply(AdminServer.builder(database.dataSource())).build();
        server.start();
        client = new AdminClient(server.uri());
    }

    static AdminFixture open() {
        return new AdminFixture(settings -> settings);
    }

    AdminDatabase database() {
        return database;
    }

    AdminServer server() {
        return server;
    }

    AdminClient client() {
        return client;
    }

    URI uri() {
        return server.uri();
    }

    /** Writes an event that was given up. */
    UUID dead(String orderId, String eventType, String error) {
        return database.dead(orderId, eventType, error);
    }

    @Override
    public void close() {
        server.close();
    }
}
