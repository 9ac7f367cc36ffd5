package dev.typedoutbox.admin;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log-in form, and the way out. */
final class SignIn {
    static final String PATH = "/login";
    static final String OUT = "/api/logout";
    static final Set<String> PATHS = Set.of(PATH, OUT);
    private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);

    private final Access access;
    private final Pages pages;

    SignIn(Access access, Pages pages) {
        this.access = access;
        this.pages = pages;
    }

    void addTo(RoutesConfig routes) {
        routes.get(PATH, this::show);
        routes.post(PATH, this::signIn);
        routes.post(OUT, context -> {
            access.signOut(context);
            context.status(HttpStatus.NO_CONTENT);
        });
    }

    private void show(Context context) {
        if (access.isGranted(context)) {
            context.redirect("./", HttpStatus.SEE_OTHER);
        } else {
            pages.login(context, "");
        }
    }

    /** The parts of one would go to files, however large and many, before anybody has shown a token. */
    private static void requireNoUpload(Context context) {
        if (context.isMultipart()) {
            throw new Refusal(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type must be application/x-www-form-urlencoded (was multipart)");
        }
    }

    private void signIn(Context context) {
        requireNoUpload(context);
        String attempt = context.formParam("token");
        try {
            if (!access.needsToken() || (attempt != null && access.signIn(context, attempt))) {
                context.redirect("./", HttpStatus.SEE_OTHER);
            } else {
                LOG.atWarn().addKeyValue("client", context.ip()).log("wrong token for the admin page");
                context.status(HttpStatus.UNAUTHORIZED);
                pages.login(context, "This is not the token.");
            }
        } catch (Refusal e) {
            context.status(e.status());
            pages.login(context, "Too many wrong tokens. Wait a minute.");
        }
    }
}
