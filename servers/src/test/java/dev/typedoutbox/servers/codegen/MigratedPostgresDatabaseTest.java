package dev.typedoutbox.servers.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigratedPostgresDatabaseTest {

    @TempDir
    private Path migrations;

    @Test
    void holdsExactlyWhatTheMigrationsMade() throws Exception {
        Files.writeString(migrations.resolve("V1__one.sql"), "create table one (id int)");
        Files.writeString(migrations.resolve("V2__two.sql"), "create table two (id int)");

        try (MigratedPostgresDatabase database = database("filesystem:" + migrations)) {
            List<?> tables = database.create()
                    .fetchValues("select tablename::text from pg_tables where schemaname = 'public' order by 1");
            assertThat(tables).map(Object::toString).containsExactly("history", "one", "two");
        }
    }

    @Test
    void missingLocationsAreAnError() {
        try (MigratedPostgresDatabase database = new MigratedPostgresDatabase()) {
            database.setProperties(new Properties());

            assertThatThrownBy(database::create)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("locations must be set");
        }
    }

    private static MigratedPostgresDatabase database(String locations) {
        MigratedPostgresDatabase database = new MigratedPostgresDatabase();
        Properties properties = new Properties();
        properties.setProperty("locations", locations);
        properties.setProperty("historyTable", "history");
        database.setProperties(properties);
        return database;
    }
}
