package dev.typedoutbox.admin;

import dev.typedoutbox.db.OutboxSchema;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of an admin page. Not safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class AdminServerBuilder {
    private static final int HIGHEST_PORT = 65_535;

    private final DataSource dataSource;
    private String schema = OutboxSchema.DEFAULT_SCHEMA;
    private String host = AdminServer.DEFAULT_HOST;
    private int port;
    private @Nullable String token;
    private boolean readOnly;
    private boolean showPayloads;

    AdminServerBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * Sets the schema that holds the outbox's tables. Default: {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param name as the database spells it, capitals kept
     * @return this builder
     * @throws IllegalArgumentException if it is no schema's: see {@link OutboxSchema#requireName}
     */
    public AdminServerBuilder schema(String name) {
        this.schema = OutboxSchema.requireName(name);
        return this;
    }

    /**
     * Sets where to listen. Default: {@value AdminServer#DEFAULT_HOST}, which this machine alone can reach. On any other
     * than a loopback address the page needs a token.
     *
     * @param name an address of this machine, or a name of one; 0.0.0.0 for all
     * @return this builder
     * @throws IllegalArgumentException if blank
     */
    public AdminServerBuilder host(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("host must be an address of this machine, or a name of one (was blank)");
        }
        this.host = name;
        return this;
    }

    /**
     * Sets the port to listen at. Default: 0, any free one, which {@link AdminServer#port} then tells.
     *
     * @param number 0 to 65,535
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public AdminServerBuilder port(int number) {
        if (number < 0 || number > HIGHEST_PORT) {
            throw new IllegalArgumentException("port must be 0 to 65,535 (was " + number + ")");
        }
        this.port = number;
        return this;
    }

    /**
     * Sets the secret that visitors type in, and that scripts send as {@code Authorization: Bearer}. Default: none, so that
     * everybody on this machine may come in. The page speaks plain HTTP: put TLS before it where others can listen in.
     *
     * @param secret 16 to 512 visible ASCII characters
     * @return this builder
     */
    public AdminServerBuilder token(String secret) {
        this.token = Objects.requireNonNull(secret, "secret");
        return this;
    }

    /**
     * Sets whether the page refuses to retry and to discard. Default: false.
     *
     * @param refuseChanges true to refuse
     * @return this builder
     */
    public AdminServerBuilder readOnly(boolean refuseChanges) {
        this.readOnly = refuseChanges;
        return this;
    }

    /**
     * Sets whether the page shows the payload and the headers of a dead letter. Default: false, since they may be nobody's
     * business.
     *
     * @param show true to show them
     * @return this builder
     */
    public AdminServerBuilder showPayloads(boolean show) {
        this.showPayloads = show;
        return this;
    }

    /**
     * Makes the page, not started.
     *
     * @return the page
     * @throws IllegalArgumentException if the token is too short or not of visible ASCII characters, if the host cannot be
     *     resolved, or if it is not a loopback address and there is no token
     */
    public AdminServer build() {
        return new AdminServer(
                dataSource,
                new AdminSettings(
                        schema,
                        host,
                        AdminSettings.resolve(host),
                        port,
                        AdminSettings.checked(token),
                        readOnly,
                        showPayloads));
    }
}
