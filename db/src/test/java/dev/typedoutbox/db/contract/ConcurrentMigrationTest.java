package dev.typedoutbox.db.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;

class ConcurrentMigrationTest {
    private static final int INSTANCES = 3;

    private final TestDatabase database = new TestDatabase();

    @RepeatedTest(5)
    void instancesThatStartAtOnceAllSucceed() throws Exception {
        startAll("public");

        assertThat(migrationsRun("public")).isEqualTo("1");
    }

    @RepeatedTest(5)
    void instancesThatStartAtOnceInAFullSchemaAllSucceed() throws Exception {
        database.execute("create table orders (id bigint primary key)");

        startAll("public");

        assertThat(migrationsRun("public")).isEqualTo("1");
    }

    @RepeatedTest(5)
    void instancesThatStartAtOnceWithoutASchemaAllSucceed() throws Exception {
        startAll("Order Outbox");

        assertThat(migrationsRun("Order Outbox")).isEqualTo("1");
    }

    @RepeatedTest(5)
    void instancesThatStartAtOnceOnTablesMadeByHandAllSucceed() throws Exception {
        database.runMigrationFileIn("public");

        startAll("public");

        assertThat(migrationsRun("public")).isEqualTo("0");
    }

    private void startAll(String schema) throws Exception {
        CyclicBarrier together = new CyclicBarrier(INSTANCES);
        ExecutorService instances = Executors.newFixedThreadPool(INSTANCES);
        try {
            List<Future<?>> results = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                results.add(instances.submit(() -> {
                    together.await();
                    OutboxSchema.migrate(database.dataSource(), schema);
                    return null;
                }));
            }
            for (Future<?> result : results) {
                result.get();
            }
        } finally {
            instances.shutdownNow();
        }
        OutboxSchema.validate(database.dataSource(), schema);
    }

    private String migrationsRun(String schema) {
        return database.value("select count(*) from \"" + schema + "\"." + OutboxSchema.HISTORY_TABLE
                + " where type = 'SQL' and success");
    }
}
