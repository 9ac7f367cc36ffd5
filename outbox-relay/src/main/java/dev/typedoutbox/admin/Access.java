package dev.typedoutbox.admin;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Tells whether a visitor may come in: everybody where there is no token, else who shows it or has a session. */
final class Access {
    private static final String BEARER = "Bearer ";

    private final Optional<AccessToken> token;
    private final Attempts attempts;
    private final Sessions sessions;

    Access(Optional<AccessToken> token, LongSupplier nanoClock) {
        this.token = token;
        this.attempts = new Attempts(nanoClock);
        this.sessions = new Sessions(nanoClock);
    }

    boolean needsToken() {
        return token.isPresent();
    }

    boolean isGranted(Context context) {
        return !needsToken() || hasSession(context) || showsToken(context);
    }

    /**
     * The same for a request that was granted and goes on: a session may have ended since, while the token is as right as it
     * was, whatever others have tried since.
     */
    boolean isStillGranted(Context context) {
        return !needsToken()
                || hasSession(context)
                || bearer(context).filter(token.orElseThrow()::isSameAs).isPresent();
    }

    private boolean hasSession(Context context) {
        return sessions.isOpen(context.cookie(cookieName(context)));
    }

    /** A script, not a browser: no page of another site can make a browser send this header. */
    boolean showsToken(Context context) {
        return needsToken()
                && bearer(context).filter(attempt -> isRight(context, attempt)).isPresent();
    }

    private static Optional<String> bearer(Context context) {
        return Optional.ofNullable(context.header("Authorization"))
                .filter(header -> header.startsWith(BEARER))
                .map(header -> header.substring(BEARER.length()));
    }

    private boolean isRight(Context context, String attempt) {
        if (attempts.areUsedUp(context.ip())) {
            context.header("Retry-After", String.valueOf(Attempts.WINDOW.toSeconds()));
            throw new Refusal(HttpStatus.TOO_MANY_REQUESTS, "too many wrong tokens: wait a minute");
        }
        boolean right = token.orElseThrow().isSameAs(attempt);
        if (!right) {
            attempts.fail(context.ip());
        }
        return right;
    }

    /** Gives the visitor a session if the token is right. */
    boolean signIn(Context context, String attempt) {
        if (!isRight(context, attempt)) {
            return false;
        }
        setCookie(context, sessions.open(), Sessions.LIFETIME.toSeconds());
        return true;
    }

    void signOut(Context context) {
        sessions.close(context.cookie(cookieName(context)));
        setCookie(context, "", 0);
    }

    /** Behind a proxy with TLS the browser says so in its Origin, which is checked by then. */
    private static void setCookie(Context context, String value, long seconds) {
        String origin = context.header("Origin");
        boolean secure = origin != null && origin.startsWith("https:");
        context.header(
                "Set-Cookie",
                cookieName(context) + "=" + value + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                        + (secure ? "; Secure" : ""));
    }

    /** Cookies do not tell ports apart, and several pages may be reached at localhost. */
    private static String cookieName(Context context) {
        return "outbox-admin-" + context.port();
    }
}
