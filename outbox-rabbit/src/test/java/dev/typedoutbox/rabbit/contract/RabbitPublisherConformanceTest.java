package dev.typedoutbox.rabbit.contract;

import dev.typedoutbox.testkit.PublisherConformance;
import dev.typedoutbox.testkit.PublisherFixture;

class RabbitPublisherConformanceTest extends PublisherConformance {
    @Override
    protected PublisherFixture createFixture() {
        return new RabbitFixture();
    }
}
