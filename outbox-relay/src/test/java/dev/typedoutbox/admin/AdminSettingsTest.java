package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.db.OutboxSchema;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class AdminSettingsTest {
    private final AdminDatabase database = AdminDatabase.create();

    private AdminServerBuilder builder() {
        return AdminServer.builder(database.dataSource());
    }

    @Test
    void addressThatOthersReachNeedsAToken() {
        assertThatThrownBy(() -> builder().host("0.0.0.0").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("token must be set where host is not a loopback address (was unset, host 0.0.0.0):"
                        + " set one, or listen on 127.0.0.1");
        assertThatThrownBy(() -> builder().host("::").build()).hasMessageStartingWith("token must be set");
        assertThatThrownBy(() -> builder().host("192.0.2.1").build()).hasMessageStartingWith("token must be set");
    }

    @Test
    void addressThatOthersReachIsListenedAtWithAToken() {
        try (AdminServer server =
                builder().host("0.0.0.0").token(AdminFixture.TOKEN).build()) {
            server.start();
            AdminClient client = new AdminClient(server.uri());
            assertThat(server.uri()).hasHost("127.0.0.1").hasPort(server.port());
            assertThat(client.get("/api/status").statusCode()).isEqualTo(401);
            assertThat(client.get("/api/status", "Authorization", "Bearer " + AdminFixture.TOKEN)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void tokenThatIsTooShortIsRefusedAndNotShown() {
        assertThatThrownBy(() -> builder().token("fifteen-letters").build())
                .hasMessage("token must be 16 to 512 characters (was 15 characters)");
        assertThatThrownBy(() -> builder().token("0123456789abcdef\n").build())
                .hasMessage("token must be visible ASCII characters alone (was one with others)");
    }

    @Test
    void wrongPlacesAreNamed() {
        assertThatThrownBy(() -> builder().host(" "))
                .hasMessage("host must be an address of this machine, or a name of one (was blank)");
        assertThatThrownBy(() -> builder().host("no.such.invalid").build())
                .hasMessage("host must be an address of this machine, or a name of one (was no.such.invalid)");
        assertThatThrownBy(() -> builder().port(65_536)).hasMessage("port must be 0 to 65,535 (was 65536)");
        assertThatThrownBy(() -> builder().schema("")).hasMessage("schema must be the name of a schema (was blank)");
    }

    @Test
    void portInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                AdminServer server = builder().port(taken.getLocalPort()).build()) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("host and port must be a free address of this machine (was 127.0.0.1:"
                            + taken.getLocalPort() + ")");
        }
    }

    @Test
    void closedPageCanBeStartedAgain() {
        AdminServer server = builder().build();
        assertThatThrownBy(server::port).hasMessage("page must be started to have a port (was not)");
        server.start();
        assertThatThrownBy(server::start).hasMessage("page must be closed to be started (was started)");
        server.close();
        server.close();
        server.start();
        assertThat(new AdminClient(server.uri()).get("/").statusCode()).isEqualTo(200);
        server.close();
    }

    @Test
    void outboxInAnotherSchemaIsShown() {
        database.execute("create schema \"Other\"");
        OutboxSchema.migrate(database.dataSource(), "Other");
        try (AdminServer server = builder().schema("Other").build()) {
            server.start();
            database.publish("1", "order.created");
            assertThat(new AdminClient(server.uri())
                            .json("/api/status")
                            .at("/pending/value")
                            .asInt())
                    .isZero();
        }
    }
}
