package dev.typedoutbox.recipes.publisher;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One worker's requests. Used by one thread at a time, except {@link #close}. */
final class WebhookSession implements PublisherSession {
    /** How many requests are in flight at most. */
    static final int MOST_IN_FLIGHT = 32;

    private final HttpClient client;
    private final URI receiver;
    private final Duration grace;
    private final Consumer<WebhookSession> onClose;

    /** Of the call that is under way. */
    private final Queue<CompletableFuture<?>> answers = new ConcurrentLinkedQueue<>();

    private volatile @Nullable String endReason;

    WebhookSession(HttpClient client, URI receiver, Duration grace, Consumer<WebhookSession> onClose) {
        this.client = client;
        this.receiver = receiver;
        this.grace = grace;
        this.onClose = onClose;
    }

    @Override
    public boolean awaitReady(Duration timeout) {
        String reason = endReason;
        if (reason != null) {
            throw new PublisherUnavailableException(
                    "the session with " + receiver.getHost() + " ended: " + reason, null);
        }
        return true;
    }

    @Override
    public List<PublishOutcome> publish(List<OutboxEvent> events, Duration timeout) {
        List<CompletableFuture<PublishOutcome>> outcomes = Stream.generate(CompletableFuture<PublishOutcome>::new)
                .limit(events.size())
                .toList();
        String unheard = "the receiver did not answer in time";
        try {
            exchange(events, outcomes, System.nanoTime() + timeout.toNanos());
            if (endReason == null && outcomes.stream().noneMatch(CompletableFuture::isDone)) {
                // It may not be reachable any more: a new session finds out without a transaction.
                endReason = unheard;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            unheard = "the publishing thread was interrupted";
        }
        PublishOutcome unknown = PublishOutcome.unknown(Objects.requireNonNullElse(endReason, unheard));
        // In this order: what comes of the requests from here on counts for nothing.
        outcomes.forEach(outcome -> outcome.complete(unknown));
        cancelAll();
        answers.clear();
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    /** Returns when all is answered, or the time is up. */
    private void exchange(List<OutboxEvent> events, List<CompletableFuture<PublishOutcome>> outcomes, long end)
            throws InterruptedException {
        Semaphore room = new Semaphore(MOST_IN_FLIGHT);
        for (int i = 0; i < events.size(); i++) {
            long left = end - System.nanoTime();
            if (left <= 0 || !room.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                return;
            }
            if (endReason != null) {
                room.release();
                break;
            }
            send(events.get(i), outcomes.get(i), room);
        }
        room.tryAcquire(MOST_IN_FLIGHT, end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The outcome has what comes of it.
    private void send(OutboxEvent event, CompletableFuture<PublishOutcome> outcome, Semaphore room) {
        CompletableFuture<HttpResponse<String>> answer;
        try {
            answer = client.sendAsync(WebhookRequest.of(event, receiver), response -> new BeginningOfBody());
        } catch (RuntimeException e) {
            outcome.complete(PublishOutcome.refused("no request could be made of the event: " + e));
            room.release();
            return;
        }
        answers.add(answer);
        answer.whenComplete((response, failure) -> {
            if (failure == null) {
                outcome.complete(WebhookAnswer.outcome(response));
            } else if (!outcome.isDone()) {
                outcome.complete(lost(failure));
            }
            room.release();
        });
        if (endReason != null) {
            // The end may have come before the request was among those that it cancels.
            answer.cancel(true);
        }
    }

    /** The receiver may have the event or not. The other connections may be lost as well, or hear their answers yet. */
    private PublishOutcome lost(Throwable failure) {
        if (endReason == null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            endReason = String.valueOf(cause);
            CompletableFuture.delayedExecutor(grace.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::cancelAll);
        }
        return PublishOutcome.unknown(String.valueOf(endReason));
    }

    private void cancelAll() {
        answers.forEach(answer -> answer.cancel(true));
    }

    @Override
    public void close() {
        endReason = "it was closed";
        cancelAll();
        onClose.accept(this);
    }
}
