package dev.typedoutbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.support.OutboxDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that has been given up does nothing any more, wherever it was. */
@Timeout(60)
class BoundedConnectionsTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();

    @Test
    void workThatWaitedForItsConnectionDoesNotBeginAfterItWasGivenUp() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (HikariDataSource pool = poolOfOne()) {
            BoundedConnections connections = new BoundedConnections(pool, Duration.ofSeconds(10));
            AtomicBoolean begun = new AtomicBoolean();
            Connection held = pool.getConnection();
            Future<Boolean> work = threads.submit(() -> connections.call(connection -> {
                begun.set(true);
                return true;
            }));
            await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);

            connections.abort();
            held.close();

            assertThatThrownBy(() -> work.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SQLException.class);
            assertThat(begun).isFalse();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void connectionOfWorkThatDoesNotEndIsCut() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (HikariDataSource pool = poolOfOne()) {
            BoundedConnections connections = new BoundedConnections(pool, Duration.ofSeconds(50));
            CompletableFuture<Void> begun = new CompletableFuture<>();
            Future<Boolean> work = threads.submit(() -> connections.call(connection -> {
                begun.complete(null);
                return connection.createStatement().execute("select pg_sleep(40)");
            }));
            begun.get(20, TimeUnit.SECONDS);

            connections.abort();

            assertThatThrownBy(() -> work.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(SQLException.class);
        } finally {
            threads.shutdownNow();
        }
    }

    private static HikariDataSource poolOfOne() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(DATABASE.dataSource());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }
}
