package dev.typedoutbox.recipes.publisher;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Reads of an answer as much as a reason needs, however long it is, and gives up the rest with the connection. */
final class BeginningOfBody implements BodySubscriber<String> {
    /** How much of an answer is read. */
    static final int MOST_BYTES = 2_000;

    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private @Nullable Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
        return text;
    }

    @Override
    public void onSubscribe(Subscription opened) {
        subscription = opened;
        opened.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] part = new byte[Math.min(buffer.remaining(), MOST_BYTES - bytes.size())];
            buffer.get(part);
            bytes.writeBytes(part);
        }
        if (bytes.size() == MOST_BYTES && subscription != null) {
            subscription.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable failure) {
        text.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        text.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}
