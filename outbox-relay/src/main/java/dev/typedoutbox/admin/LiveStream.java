package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.sse.SseClient;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Sends each visitor what is new, on the thread of the request. Everybody gets the newest sample when ready for it: for one
 * who is slow there is no queue that could grow, and one who stops reading is cut by the server's idle time-out, as soon as
 * the buffers of the connection are full.
 */
final class LiveStream {
    static final int MOST_CLIENTS = 20;
    static final String PATH = "/api/stream";

    private final AdminSettings settings;
    private final Access access;
    private final Sampler sampler;
    private final Activity activity;
    private final Semaphore places = new Semaphore(MOST_CLIENTS);

    LiveStream(AdminSettings settings, Access access, Sampler sampler, Activity activity) {
        this.settings = settings;
        this.access = access;
        this.sampler = sampler;
        this.activity = activity;
    }

    void serve(Context context) {
        if (!places.tryAcquire()) {
            throw new Refusal(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "open pages must be at most " + MOST_CLIENTS + " (was " + MOST_CLIENTS + "): close one");
        }
        try (Sampler.Watch watch = sampler.watch()) {
            context.contentType("text/event-stream; charset=utf-8").header("X-Accel-Buffering", "no");
            send(new SseClient(context), context);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.release();
        }
    }

    private void send(SseClient client, Context context) throws InterruptedException {
        long version = sampler.version();
        List<Activity.Second> seconds = activity.after(0);
        client.sendEvent("hello", hello(seconds).toString());
        long second = lastOf(seconds, 0);
        for (Sampler.Sample sample = sampler.next(version);
                mayGoOn(client, context);
                sample = sampler.next(sample.version())) {
            seconds = activity.after(second);
            second = lastOf(seconds, second);
            ObjectNode status = status(sample);
            status.set("seconds", StatusJson.seconds(seconds));
            client.sendEvent("status", status.toString());
        }
    }

    private boolean mayGoOn(SseClient client, Context context) {
        return !client.terminated() && !sampler.isClosed() && access.isStillGranted(context);
    }

    private static long lastOf(List<Activity.Second> seconds, long otherwise) {
        return seconds.isEmpty() ? otherwise : seconds.get(seconds.size() - 1).epochSecond();
    }

    private ObjectNode hello(List<Activity.Second> seconds) {
        ObjectNode hello = JsonNodeFactory.instance
                .objectNode()
                .put("schema", settings.schema())
                .put("readOnly", settings.readOnly())
                .put("showPayloads", settings.showPayloads())
                .put("signedIn", access.needsToken())
                .put("activitySince", activity.since());
        hello.set("history", StatusJson.history(sampler.readings().all()));
        hello.set("seconds", StatusJson.seconds(seconds));
        return hello;
    }

    private ObjectNode status(Sampler.Sample sample) {
        Reading reading = sample.reading();
        List<LocalRelays.LocalRelay> local = activity.relays().list();
        return reading == null ? StatusJson.noAnswer(System.currentTimeMillis(), local) : StatusJson.of(reading, local);
    }

    /** One status for a script. */
    ObjectNode current() throws InterruptedException {
        return StatusJson.of(sampler.readings().current(), activity.relays().list());
    }
}
