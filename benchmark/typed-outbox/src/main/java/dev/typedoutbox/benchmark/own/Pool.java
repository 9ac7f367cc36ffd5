package dev.typedoutbox.benchmark.own;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.benchmark.contender.Settings;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The connections of a contender. */
final class Pool {
    private static final int CONNECTIONS = 40;

    private Pool() {}

    static HikariDataSource open(Settings settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(settings.jdbcUrl());
        config.setUsername(settings.jdbcUser());
        config.setPassword(settings.jdbcPassword());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(2);
        return new HikariDataSource(config);
    }

    static DataSource unpooled(Settings settings) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(settings.jdbcUrl());
        dataSource.setUser(settings.jdbcUser());
        dataSource.setPassword(settings.jdbcPassword());
        return dataSource;
    }
}
