package dev.typedoutbox.benchmark.own;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/** Writes many rows with {@code COPY}, in one transaction. */
final class CopyIn {
    private final DataSource dataSource;

    CopyIn(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Empties the table first. The columns of a line are separated by tabs. */
    <T> void replace(String table, String columns, Stream<T> rows, Function<T, String> line)
            throws SQLException, IOException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("truncate " + table);
            PGConnection postgres = connection.unwrap(PGConnection.class);
            try (PGCopyOutputStream out =
                    new PGCopyOutputStream(postgres, "copy " + table + " (" + columns + ") from stdin", 1 << 16)) {
                for (Iterator<T> row = rows.iterator(); row.hasNext(); ) {
                    out.write((line.apply(row.next()) + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
            connection.commit();
        }
    }
}
