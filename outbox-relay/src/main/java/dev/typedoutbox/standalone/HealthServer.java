package dev.typedoutbox.standalone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers probes and Prometheus over HTTP, with the JDK's own server: it has to be there before all else is. */
final class HealthServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);
    private static final int THREADS = 4;
    private static final int BACKLOG = 20;

    /** Read once by the JDK's server: a client that sends or reads nothing must not hold a thread for more than seconds. */
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime", "5",
            "sun.net.httpserver.maxRspTime", "10",
            "sun.net.httpserver.idleInterval", "15",
            "jdk.httpserver.maxConnections", "50");

    private final HttpServer server;
    private final ExecutorService threads;
    private final Map<String, Supplier<Answer>> pages;

    /** What a page says. */
    record Answer(int status, String contentType, String body) {}

    private HealthServer(HttpServer server, ExecutorService threads, Map<String, Supplier<Answer>> pages) {
        this.server = server;
        this.threads = threads;
        this.pages = pages;
    }

    /** What can be wrong with its settings beyond each of them, but that the address is taken. */
    static void check(Settings settings) {
        if (settings.has(Setting.HEALTH_PORT)) {
            address(settings);
        }
    }

    static HealthServer start(Settings settings, Health health, Metrics metrics) {
        HealthServer started = start(address(settings), pages(health, metrics::text));
        LOG.atInfo().addKeyValue("address", started.server.getAddress()).log("health and metrics are served");
        return started;
    }

    static Map<String, Supplier<Answer>> pages(Health health, Supplier<String> metrics) {
        return Map.of(
                "/health/live", () -> answer(health.live()),
                "/health/ready", () -> answer(health.ready()),
                "/metrics", () -> new Answer(200, Metrics.CONTENT_TYPE, metrics.get()));
    }

    static HealthServer start(InetSocketAddress address, Map<String, Supplier<Answer>> pages) {
        LIMITS.forEach((name, value) -> System.setProperty(name, System.getProperty(name, value)));
        try {
            HttpServer server = HttpServer.create(address, BACKLOG);
            ExecutorService threads = Executors.newFixedThreadPool(THREADS, daemons());
            HealthServer started = new HealthServer(server, threads, pages);
            server.createContext("/", started::handle);
            server.setExecutor(threads);
            server.start();
            return started;
        } catch (IOException e) {
            throw Failure.of(
                    Setting.HEALTH_ADDRESS + " and " + Setting.HEALTH_PORT
                            + " must be a free address of this machine (was " + address + ": " + Reason.of(e) + ")",
                    e);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static InetSocketAddress address(Settings settings) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByName(settings.text(Setting.HEALTH_ADDRESS)), settings.whole(Setting.HEALTH_PORT));
        } catch (UnknownHostException e) {
            throw settings.wrong(Setting.HEALTH_ADDRESS, "an address of this machine");
        }
    }

    private static Answer answer(Health.Report report) {
        return new Answer(report.isGood() ? 200 : 503, "application/json", Json.line(report.details()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
                exchange.sendResponseHeaders(answer.status(), -1);
                return;
            }
            exchange.sendResponseHeaders(answer.status(), body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    private Answer answer(HttpExchange exchange) {
        Supplier<Answer> page =
                pages.get(String.valueOf(exchange.getRequestURI().getPath()));
        if (page == null) {
            return text(404, "not found");
        }
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            return text(405, "only GET and HEAD");
        }
        try {
            return page.get();
        } catch (RuntimeException e) {
            LOG.warn("a page of health and metrics failed", e);
            return text(500, "failed; the log tells why");
        }
    }

    private static Answer text(int status, String text) {
        return new Answer(status, "text/plain; charset=utf-8", text + "\n");
    }

    private static ThreadFactory daemons() {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, "outbox-health-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
