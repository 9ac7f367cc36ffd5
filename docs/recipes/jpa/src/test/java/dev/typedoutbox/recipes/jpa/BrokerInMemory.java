package dev.typedoutbox.recipes.jpa;

import dev.typedoutbox.testkit.InMemoryPublisher;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** The tests' broker. */
@TestConfiguration(proxyBeanMethods = false)
class BrokerInMemory {
    @Bean
    InMemoryPublisher publisher() {
        return new InMemoryPublisher();
    }
}
