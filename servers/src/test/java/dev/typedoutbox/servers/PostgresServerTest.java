package dev.typedoutbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.startFromBinaries(Map.of("work_mem", "5MB"));
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Test
    void databasesAreIsolated() throws SQLException {
        Database one = server.createDatabase("isolated");
        Database other = server.createDatabase("isolated");

        execute(one, "create table thing (id int)");

        assertThat(query(one, "select to_regclass('thing')")).isEqualTo("thing");
        assertThat(query(other, "select to_regclass('thing')")).isNull();
    }

    @Test
    void copyHasWhatTheOriginalHadAndChangesAlone() throws SQLException {
        Database original = databaseWithOneRow("original");
        Database copy = server.createCopy("copy", original);

        execute(copy, "insert into thing values (2)");

        assertThat(query(copy, "select count(*) from thing")).isEqualTo("2");
        assertThat(query(original, "select count(*) from thing")).isEqualTo("1");
    }

    @Test
    void databaseIsReachedByItsOwnUrl() throws SQLException {
        Database database = server.createDatabase("by_url");

        assertThat(database.jdbcUrl())
                .startsWith("jdbc:postgresql://127.0.0.1:")
                .contains(database.name());
        assertThat(query(database, "select current_database()")).isEqualTo(database.name());
    }

    @Test
    void droppedDatabaseIsGoneEvenWhileSomebodyIsConnected() throws SQLException {
        Database database = server.createDatabase("dropped");

        try (Connection open = database.dataSource().getConnection()) {
            server.dropDatabase(database);
            assertThat(open.isValid(1)).isFalse();
        }

        assertThatThrownBy(() -> query(database, "select 1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> server.dropDatabase(database))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "database must be one that was created here and not dropped yet (was " + database.name() + ")");
    }

    @Test
    void prefixThatNeedsQuotesIsRefused() {
        assertThatThrownBy(() -> server.createDatabase("Up\"per"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("prefix must be");
    }

    @Test
    void committedDataSurvivesStopAndResume() throws SQLException {
        Database database = databaseWithOneRow("stopped");

        server.stop();
        assertThatThrownBy(() -> query(database, "select 1")).isInstanceOf(SQLException.class);
        server.resume();

        assertThat(query(database, "select count(*) from thing")).isEqualTo("1");
    }

    @Test
    void committedDataSurvivesKillAndResume() throws SQLException {
        Database database = databaseWithOneRow("killed");

        try (Connection open = database.dataSource().getConnection()) {
            server.kill();
            assertThat(open.isValid(1)).isFalse();
        }
        server.resume();

        assertThat(query(database, "select count(*) from thing")).isEqualTo("1");
    }

    @Test
    void settingsHoldAfterResumeToo() throws SQLException {
        server.stop();
        server.resume();

        assertThat(query(server.createDatabase("settings"), "show work_mem")).isEqualTo("5MB");
    }

    @Test
    void stoppedServerCanBeClosed() {
        PostgresServer stopped = PostgresServer.startFromBinaries();
        stopped.stop();

        stopped.close();

        assertThatThrownBy(() -> stopped.dataSource().getConnection()).isInstanceOf(SQLException.class);
    }

    @Test
    void externalServerIsTakenFirstAndKeepsOnlyWhatItHad() throws SQLException {
        String url = server.jdbcUrl() + "?user=" + server.user() + "&password=any";
        PostgresServer external = PostgresServer.start(Map.of(PostgresServer.URL_VARIABLE, url)::get);
        Database created = external.createDatabase("external");

        assertThat(external.isControllable()).isFalse();
        assertThatThrownBy(external::kill)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("The server of OUTBOX_TEST_JDBC_URL cannot be killed from here");
        assertThat(query(created, "select current_database()")).isEqualTo(created.name());
        external.close();
        assertThatThrownBy(() -> query(created, "select 1")).isInstanceOf(SQLException.class);
    }

    private static Database databaseWithOneRow(String prefix) throws SQLException {
        Database database = server.createDatabase(prefix);
        execute(database, "create table thing (id int)");
        execute(database, "insert into thing values (1)");
        return database;
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
