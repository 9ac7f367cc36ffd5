package dev.typedoutbox.admin;

import io.javalin.http.HttpStatus;

/** A request that is not granted. The message is for the visitor and holds nothing that the visitor may not know. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;

    Refusal(HttpStatus status, String message) {
        super(message);
        this.status = status;
    }

    HttpStatus status() {
        return status;
    }
}
