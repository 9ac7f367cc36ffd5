package dev.typedoutbox.testkit.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.testkit.junit.TestRun;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** What the suite makes of fixtures and publishers that are not as its author may have thought. */
class PublisherConformanceTest {
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final AtomicInteger CLOSED = new AtomicInteger();

    @BeforeEach
    void begin() {
        OPENED.set(0);
        CLOSED.set(0);
    }

    @AfterEach
    void everyFixtureIsClosed() {
        assertThat(CLOSED).hasValue(OPENED.get());
    }

    @Test
    void testsOfFatesThatThePublisherDoesNotKnowAreSkipped() {
        TestExecutionSummary summary = TestRun.of(KnowsAcceptedAlone.class);

        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsAbortedCount()).isEqualTo(6);
        assertThat(summary.getTestsSucceededCount()).isEqualTo(summary.getTestsFoundCount() - 6);
        assertThat(OPENED).hasPositiveValue();
    }

    @Test
    void publisherThatKnowsNoFateAtAllPassesNothing() {
        TestExecutionSummary summary = TestRun.of(KnowsNothing.class);

        assertThat(summary.getTestsFailedCount()).isPositive().isEqualTo(summary.getTestsFoundCount());
        assertThat(summary.getFailures())
                .extracting(Failure::getException)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("fates that the publisher knows"));
    }

    @Test
    void fixtureThatCannotBeMadeHereSkipsAll() {
        TestExecutionSummary summary = TestRun.of(NotHere.class);

        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsAbortedCount()).isPositive().isEqualTo(summary.getTestsFoundCount());
    }

    @Test
    void fixtureWithoutAPublisherIsClosed() {
        TestExecutionSummary summary = TestRun.of(WithoutPublisher.class);

        assertThat(summary.getFailures())
                .isNotEmpty()
                .extracting(Failure::getException)
                .allSatisfy(failure ->
                        assertThat(failure).hasMessage("no publisher").hasNoSuppressedExceptions());
        assertThat(OPENED).hasValue((int) summary.getTestsFoundCount());
    }

    @Test
    void fixtureOfAPublisherThatDoesNotCloseIsClosed() {
        TestExecutionSummary summary = TestRun.of(DoesNotClose.class);

        assertThat(summary.getTestsFailedCount()).isPositive().isEqualTo(summary.getTestsFoundCount());
        assertThat(OPENED).hasValue((int) summary.getTestsFoundCount());
    }

    /** Its fixture has a thread that would keep the JVM alive, and is none of the publisher's. */
    static class KnowsAcceptedAlone extends PublisherConformance {
        @Override
        protected PublisherFixture createFixture() {
            CountDownLatch end = new CountDownLatch(1);
            Thread thread = new Thread(() -> await(end), "fixture");
            thread.setDaemon(false);
            thread.start();
            return new Counted() {
                @Override
                public Optional<String> eventType(Fate fate) {
                    return fate == Fate.ACCEPTED ? super.eventType(fate) : Optional.empty();
                }

                @Override
                public void close() {
                    end.countDown();
                    super.close();
                }
            };
        }

        private static void await(CountDownLatch end) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class KnowsNothing extends PublisherConformance {
        @Override
        protected PublisherFixture createFixture() {
            return new Counted() {
                @Override
                public Optional<String> eventType(Fate fate) {
                    return Optional.empty();
                }
            };
        }
    }

    static class NotHere extends PublisherConformance {
        @Override
        protected PublisherFixture createFixture() {
            return abort("there is no such broker here");
        }
    }

    static class WithoutPublisher extends PublisherConformance {
        @Override
        protected PublisherFixture createFixture() {
            return new Counted() {
                @Override
                public EventPublisher publisher() {
                    throw new IllegalStateException("no publisher");
                }
            };
        }
    }

    static class DoesNotClose extends PublisherConformance {
        @Override
        protected PublisherFixture createFixture() {
            return new Counted() {
                @Override
                public EventPublisher publisher() {
                    return new Unclosable();
                }
            };
        }
    }

    private static class Counted extends InMemoryFixture {
        Counted() {
            OPENED.incrementAndGet();
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    private static final class Unclosable implements EventPublisher {
        @Override
        public PublisherSession open() {
            throw new IllegalStateException("does not open");
        }

        @Override
        public void close() {
            throw new IllegalStateException("does not close");
        }
    }
}
