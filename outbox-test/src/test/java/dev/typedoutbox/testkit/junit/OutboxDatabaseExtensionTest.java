package dev.typedoutbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.RegisterExtension;

class OutboxDatabaseExtensionTest {
    /** The databases that the samples have seen, in the order of their tests. */
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    @AfterEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void testsOfAClassShareADatabaseWhoseOutboxIsEmptyBeforeEach() {
        TestRun.succeeds(Sharing.class, 3);

        assertThat(SEEN).hasSize(3);
        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void eachTestHasItsOwnDatabaseWhereTheExtensionIsTheInstances() {
        TestRun.succeeds(OwnOnes.class, 2);

        assertThat(SEEN.stream().distinct()).hasSize(2);
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void classesThatInheritAnExtensionHaveADatabaseEach() {
        TestRun.succeeds(FirstHeir.class, 1);
        TestRun.succeeds(SecondHeir.class, 1);

        assertThat(SEEN.stream().distinct()).hasSize(2);
    }

    @Test
    void otherExtensionsHaveItBeforeItsTurnInEachOfTheClassesThatInheritIt() {
        TestRun.succeeds(FirstAfterApplication.class, 1);
        TestRun.succeeds(SecondAfterApplication.class, 1);

        assertThat(SEEN).hasSize(4);
        assertThat(SEEN.stream().distinct()).hasSize(2);
        assertThat(SEEN.get(0)).isEqualTo(SEEN.get(1));
        assertThat(SEEN.get(2)).isEqualTo(SEEN.get(3));
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void classesThatRunAtTheSameTimeShareADatabaseUntilTheLastHasEnded() throws InterruptedException {
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> {
            TestRun.succeeds(FirstAtATime.class, 1);
            AtATime.FIRST_HAS_ENDED.countDown();
        });
        AtATime.await(AtATime.FIRST_RUNS);
        TestRun.succeeds(SecondAtATime.class, 1);
        first.join();

        assertThat(SEEN).hasSize(3);
        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void shareThatIsClosedTwiceEndsNoOther() {
        OutboxDatabaseExtension database = OutboxDatabaseExtension.create();
        StoreAlone first = new StoreAlone();
        StoreAlone second = new StoreAlone();
        database.beforeAll(first.context());
        database.beforeAll(first.context());
        database.beforeAll(second.context());
        see(database.dataSource());

        first.close();
        first.close();
        see(database.dataSource());
        second.close();

        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void nobodyHasADatabaseAfterTheLastTest() {
        TestRun.succeeds(Sharing.class, 3);

        assertThatThrownBy(Sharing.DATABASE::dataSource)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "The database was dropped after the last test that this extension is registered for: end what uses"
                                + " it before, or register the extension for the test that needs it");
    }

    @Test
    void databaseIsThereBeforeTheFirstTest() {
        see(UsedBefore.DATABASE.dataSource());

        TestRun.succeeds(UsedBefore.class, 1);

        assertThat(SEEN).hasSize(2);
        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void databaseIsThereUntilAllOtherExtensionsHaveEnded() {
        TestRun.succeeds(InAnApplication.class, 1);

        assertThat(SEEN).hasSize(2);
        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(Databases.names()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void junitHasNothingToWarnOf() {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(logged.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger junit = Logger.getLogger("org.junit");
        junit.addHandler(handler);
        try {
            TestRun.succeeds(OwnOnes.class, 2);
        } finally {
            junit.removeHandler(handler);
        }

        assertThat(warnings).isEmpty();
    }

    @Test
    void eventsAreKeptWhereThatIsWanted() {
        TestRun.succeeds(Keeping.class, 2);

        assertThat(SEEN).containsExactly("1", "2");
    }

    private static void seeAndWrite(OutboxDatabaseExtension database) {
        see(database.dataSource());
        assertThat(database.outbox().events()).isEmpty();
        write(database.dataSource());
    }

    private static void see(DataSource dataSource) {
        SEEN.add(Databases.nameOf(dataSource));
    }

    private static void write(DataSource dataSource) {
        NewEvent event = NewEvent.of("order", "1", "order.created", 1);
        Databases.dsl(dataSource)
                .transaction((Configuration tx) -> Outbox.create().publish(tx, event));
    }

    static class Sharing {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(DATABASE);
        }

        @Nested
        class Inner {
            @Test
            void other() {
                seeAndWrite(DATABASE);
            }

            @Test
            void another() {
                seeAndWrite(DATABASE);
            }
        }

        @AfterAll
        static void isStillThere() {
            assertThat(DATABASE.outbox().events()).hasSize(1);
        }
    }

    static class OwnOnes {
        @RegisterExtension
        final OutboxDatabaseExtension database = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(database);
        }

        @Test
        void other() {
            seeAndWrite(database);
        }
    }

    abstract static class Heir {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(DATABASE);
        }
    }

    static class FirstHeir extends Heir {}

    static class SecondHeir extends Heir {}

    /** Needs the database before its extension's turn, as an application with an instance of tests for the class does. */
    static class EarlyApplication implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            see(AfterApplication.DATABASE.dataSource());
        }
    }

    @ExtendWith(EarlyApplication.class)
    abstract static class AfterApplication {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(DATABASE);
        }
    }

    static class FirstAfterApplication extends AfterApplication {}

    static class SecondAfterApplication extends AfterApplication {}

    abstract static class AtATime {
        static final CountDownLatch FIRST_RUNS = new CountDownLatch(1);
        static final CountDownLatch SECOND_RUNS = new CountDownLatch(1);
        static final CountDownLatch FIRST_HAS_ENDED = new CountDownLatch(1);

        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        static void await(CountDownLatch latch) throws InterruptedException {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    static class FirstAtATime extends AtATime {
        @Test
        void endsAmidTheSecond() throws InterruptedException {
            see(DATABASE.dataSource());
            FIRST_RUNS.countDown();
            await(SECOND_RUNS);
        }
    }

    static class SecondAtATime extends AtATime {
        @Test
        void outlivesTheFirst() throws InterruptedException {
            see(DATABASE.dataSource());
            SECOND_RUNS.countDown();
            await(FIRST_HAS_ENDED);
            see(DATABASE.dataSource());
        }
    }

    static class UsedBefore {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            see(DATABASE.dataSource());
        }
    }

    /** A context that has nothing but a store of one entry, which can be closed again. */
    private static final class StoreAlone {
        private final AtomicReference<AutoCloseable> entry = new AtomicReference<>();

        ExtensionContext context() {
            Store store = proxy(Store.class, (method, arguments) -> switch (method) {
                case "get" -> entry.get();
                case "put" -> {
                    entry.set((AutoCloseable) arguments[1]);
                    yield null;
                }
                default -> throw new UnsupportedOperationException(method);
            });
            return proxy(ExtensionContext.class, (method, arguments) -> store);
        }

        void close() {
            AutoCloseable closed = Objects.requireNonNull(entry.get());
            assertThatCode(closed::close).doesNotThrowAnyException();
        }

        private static <T> T proxy(Class<T> type, BiFunction<String, Object[], Object> calls) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (self, method, arguments) -> calls.apply(method.getName(), arguments)));
        }
    }

    @ExtendWith(Application.class)
    static class InAnApplication {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            see(DATABASE.dataSource());
        }
    }

    /** Begins before the database is registered, and ends after it, as Spring's extension does. */
    static class Application implements AfterAllCallback {
        @Override
        public void afterAll(ExtensionContext context) {
            see(InAnApplication.DATABASE.dataSource());
        }
    }

    static class Keeping {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE =
                OutboxDatabaseExtension.builder().keepingEvents().build();

        @Test
        void one() {
            writeAndCount();
        }

        @Test
        void other() {
            writeAndCount();
        }

        private static void writeAndCount() {
            write(DATABASE.dataSource());
            SEEN.add("" + DATABASE.outbox().events().size());
        }
    }
}
