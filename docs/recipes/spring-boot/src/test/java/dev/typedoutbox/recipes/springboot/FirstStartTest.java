package dev.typedoutbox.recipes.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The application's first start, on an empty database. */
@SpringBootTest
@ActiveProfiles("test")
@Import(BrokerInMemory.class)
class FirstStartTest {
    @Autowired
    private JdbcTemplate jdbc;

    @DynamicPropertySource
    static void useAnEmptyDatabase(DynamicPropertyRegistry properties) {
        Database database = PostgresServer.shared().createDatabase("boot");
        properties.add("spring.datasource.url", database::jdbcUrl);
        properties.add("spring.datasource.username", database::user);
        properties.add("spring.datasource.password", database::password);
    }

    @Test
    void migrationsOfBothHaveTheirOwnHistory() {
        assertThat(versionsIn("flyway_schema_history")).containsExactly("1", "2");
        assertThat(versionsIn("outbox_schema_history")).contains("1");
    }

    @Test
    void versionsAreSpringBootsOwn() {
        assertThat(jarOf(DSLContext.class)).contains("jooq-3.19.27");
        assertThat(jarOf(Flyway.class)).contains("flyway-core-11.7.2");
    }

    private List<String> versionsIn(String history) {
        return jdbc.queryForList("select version from " + history + " order by installed_rank", String.class);
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().toString();
    }
}
