package dev.typedoutbox.rabbit.contract;

import dev.typedoutbox.testkit.publisher.PublisherConformance;
import dev.typedoutbox.testkit.publisher.PublisherFixture;

class RabbitPublisherConformanceTest extends PublisherConformance {
    @Override
    protected PublisherFixture createFixture() {
        return new RabbitFixture();
    }
}
