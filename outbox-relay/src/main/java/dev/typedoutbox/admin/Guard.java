package dev.typedoutbox.admin;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpStatus;
import java.net.URI;
import java.util.Map;

/** Looks at every request before anything else does. */
final class Guard {
    /** What the page's own script sends with every change; a form of another site cannot. */
    static final String CHANGE_HEADER = "X-Outbox-Admin";

    private static final String SITE = "Sec-Fetch-Site";
    private static final String ORIGIN = "Origin";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
                    + " frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
            "X-Content-Type-Options",
            "nosniff",
            // With no-referrer browsers would send the log-in form with "Origin: null".
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private final AdminSettings settings;
    private final HostRule hosts;
    private final Access access;

    Guard(AdminSettings settings, Access access) {
        this.settings = settings;
        this.hosts = new HostRule(settings);
        this.access = access;
    }

    void check(Context context) {
        HEADERS.forEach(context::header);
        requireKnownHost(context);
        if (!isOpenToAll(context.path())) {
            requireAccess(context);
        }
        if (isChange(context)) {
            requireOwnOrigin(context);
            requireChangesAllowed(context);
        }
    }

    private void requireKnownHost(Context context) {
        String host = context.header("Host");
        if (!access.needsToken() && (host == null || !hosts.allows(host))) {
            throw new Refusal(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "Host must be localhost, 127.0.0.1, [::1] or the host of the settings while there is no token");
        }
    }

    /** Javalin takes the method from X-HTTP-Method-Override, too, and so does this. */
    private static boolean isChange(Context context) {
        return !context.method().equals(HandlerType.GET) && !context.method().equals(HandlerType.HEAD);
    }

    private void requireOwnOrigin(Context context) {
        if (isForeign(context) || !isProvenOwn(context)) {
            throw new Refusal(
                    HttpStatus.FORBIDDEN,
                    "a change must come from this page, or have the header " + CHANGE_HEADER + " or the token");
        }
    }

    private static boolean isForeign(Context context) {
        String site = context.header(SITE);
        String origin = context.header(ORIGIN);
        return (site != null && !site.equals("same-origin")) || (origin != null && !isOwn(origin, context));
    }

    /** The log-in form can send no header of ours, but no browser sends a form without saying where it comes from. */
    private boolean isProvenOwn(Context context) {
        return context.path().equals(SignIn.PATH)
                ? context.header(SITE) != null || context.header(ORIGIN) != null
                : context.header(CHANGE_HEADER) != null || access.showsToken(context);
    }

    private static boolean isOwn(String origin, Context context) {
        try {
            return String.valueOf(URI.create(origin).getRawAuthority()).equalsIgnoreCase(context.header("Host"));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isOpenToAll(String path) {
        return path.equals(SignIn.PATH) || path.startsWith(Pages.ASSETS);
    }

    private void requireAccess(Context context) {
        if (access.isGranted(context)) {
            return;
        }
        if (context.path().equals("/")) {
            context.redirect("login", HttpStatus.SEE_OTHER);
            return;
        }
        context.header("WWW-Authenticate", "Bearer");
        throw new Refusal(HttpStatus.UNAUTHORIZED, "the token must be shown: log in, or send it as a bearer token");
    }

    private void requireChangesAllowed(Context context) {
        if (settings.readOnly() && !SignIn.PATHS.contains(context.path())) {
            throw new Refusal(HttpStatus.FORBIDDEN, "readOnly must be false to change anything (was true)");
        }
    }
}
