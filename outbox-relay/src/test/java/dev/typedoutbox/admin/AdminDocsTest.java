package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class AdminDocsTest {
    private static final Path SOURCE = Path.of("src/test/java/dev/typedoutbox/admin/AdminDocsTest.java");
    private static final Path PAGE = Path.of("../docs/admin.md");

    @Test
    void pageStartsAsTheDocumentationSays() throws IOException {
        assumeFalse(isTaken(8090), "port 8090 is taken");
        DataSource dataSource = AdminDatabase.create().dataSource();
        InMemoryPublisher publisher = new InMemoryPublisher();
        // start
        AdminServer page = AdminServer.builder(dataSource).port(8090).build();
        RelayConfig config = RelayConfig.builder().observer(page.observer()).build(); // throughput and delay
        Relay relay = Relay.create(dataSource, publisher, config);
        relay.start();
        page.start(); // http://127.0.0.1:8090/
        // end
        assertThat(new AdminClient(page.uri()).get("/").statusCode()).isEqualTo(200);
        page.close();
        relay.close();
    }

    private static boolean isTaken(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return !socket.isBound();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void documentationShowsTheCodeThatThisTestRuns() throws IOException {
        List<String> lines = Files.readAllLines(SOURCE).stream()
                .map(line -> line.replaceFirst("^ {8}", ""))
                .toList();
        String shown = String.join("\n", lines.subList(lines.indexOf("// start") + 1, lines.indexOf("// end")));
        assertThat(Files.readString(PAGE)).contains("```java\n" + shown + "\n```");
    }
}
