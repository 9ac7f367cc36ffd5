package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that the server answers. Whatever goes wrong is answered as {@code {"error": "..."}}. */
final class AdminRoutes {
    static final int LARGEST_BODY = 64 * 1024;

    /** Whoever neither sends nor takes a byte of a request or an answer for so long is cut. */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(AdminRoutes.class);

    private final Guard guard;
    private final SignIn signIn;
    private final Pages pages = new Pages();
    private final LiveStream stream;
    private final DeadLetterApi deadLetters;

    AdminRoutes(AdminSettings settings, Access access, LiveStream stream, DeadLetterApi deadLetters) {
        this.guard = new Guard(settings, access);
        this.signIn = new SignIn(access, pages);
        this.stream = stream;
        this.deadLetters = deadLetters;
    }

    void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.maxRequestSize = LARGEST_BODY;
        config.http.prefer405over404 = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.jetty.modifyHttpConfiguration(http -> http.setIdleTimeout(LONGEST_SILENCE.toMillis()));
        config.routes.before(guard::check);
        pages.addTo(config.routes);
        signIn.addTo(config.routes);
        deadLetters.addTo(config.routes);
        config.routes.get(LiveStream.PATH, stream::serve);
        config.routes.get("/api/status", context -> Requests.answer(context, stream.current()));
        errors(config.routes);
    }

    private static void errors(RoutesConfig routes) {
        routes.exception(
                Refusal.class, (e, context) -> refuse(context, e.status().getCode(), e.getMessage()));
        routes.exception(HttpResponseException.class, (e, context) -> refuse(context, e.getStatus(), e.getMessage()));
        routes.exception(Exception.class, AdminRoutes::fail);
    }

    private static void fail(Exception e, Context context) {
        if (DatabaseFailure.isIn(e)) {
            // An open page asks again and again while the database is away.
            LOG.atWarn()
                    .addKeyValue("path", context.path())
                    .addKeyValue("reason", e.getMessage())
                    .log("the database did not do what the admin page asked for");
            refuse(context, HttpStatus.SERVICE_UNAVAILABLE.getCode(), "the database did not do it; the log says why");
        } else {
            LOG.atError().setCause(e).addKeyValue("path", context.path()).log("request of the admin page failed");
            refuse(context, HttpStatus.INTERNAL_SERVER_ERROR.getCode(), "the request failed; the log says why");
        }
    }

    private static void refuse(Context context, int status, @Nullable String error) {
        context.status(status);
        Requests.answer(context, JsonNodeFactory.instance.objectNode().put("error", error));
    }
}
