package dev.typedoutbox.example.orders;

import dev.typedoutbox.relay.Relay;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service over HTTP. Whatever goes wrong is answered as {@code {"error": "..."}}. */
final class OrderApi {
    private static final Logger LOG = LoggerFactory.getLogger(OrderApi.class);
    private static final String LOOPBACK = "127.0.0.1";

    private final OrderService orders;
    private final DSLContext dsl;
    private final Relay relay;

    OrderApi(OrderService orders, DSLContext dsl, Relay relay) {
        this.orders = orders;
        this.dsl = dsl;
        this.relay = relay;
    }

    Javalin start(int port) {
        return Javalin.create(this::configure).start(LOOPBACK, port);
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.http.prefer405over404 = true;
        config.routes.post("/orders", this::place);
        config.routes.get("/orders/{id}", context -> answer(context, orders.find(id(context))));
        config.routes.post("/orders/{id}/pay", context -> answer(context, orders.pay(id(context))));
        config.routes.post("/orders/{id}/cancel", context -> answer(context, orders.cancel(id(context))));
        config.routes.get("/health", this::health);
        errors(config.routes);
    }

    private static void errors(RoutesConfig routes) {
        routes.exception(InvalidOrderException.class, (e, context) -> refuse(context, HttpStatus.BAD_REQUEST, e));
        routes.exception(OrderNotFoundException.class, (e, context) -> refuse(context, HttpStatus.NOT_FOUND, e));
        routes.exception(OrderStateException.class, (e, context) -> refuse(context, HttpStatus.CONFLICT, e));
        routes.exception(
                HttpResponseException.class,
                (e, context) -> refuse(context, e.getStatus(), String.valueOf(e.getMessage())));
        routes.exception(Exception.class, (e, context) -> {
            LOG.atError().setCause(e).addKeyValue("path", context.path()).log("request failed");
            refuse(
                    context,
                    HttpStatus.INTERNAL_SERVER_ERROR.getCode(),
                    "the request failed; the service's log says why");
        });
    }

    private void place(Context context) {
        Order placed = orders.place(OrderReader.read(context.bodyAsBytes()));
        context.status(HttpStatus.CREATED).header("Location", "/orders/" + placed.id());
        answer(context, placed);
    }

    private void health(Context context) {
        try {
            dsl.selectOne().execute();
            answer(context, Map.of("status", "up", "relay", relay.state()));
        } catch (DataAccessException e) {
            refuse(context, HttpStatus.SERVICE_UNAVAILABLE.getCode(), "the database does not answer");
        }
    }

    private static UUID id(Context context) {
        String id = context.pathParam("id");
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw new InvalidOrderException("id must be a UUID (was \"" + id + "\")");
        }
    }

    private static void answer(Context context, Object value) {
        context.contentType("application/json").result(Json.toText(value));
    }

    private static void refuse(Context context, HttpStatus status, Exception reason) {
        refuse(context, status.getCode(), String.valueOf(reason.getMessage()));
    }

    private static void refuse(Context context, int status, String error) {
        answer(context.status(status), Map.of("error", error));
    }
}
