package dev.typedoutbox.recipes.publisher;

import dev.typedoutbox.testkit.publisher.PublisherConformance;
import dev.typedoutbox.testkit.publisher.PublisherFixture;

class WebhookPublisherConformanceTest extends PublisherConformance {
    @Override
    protected PublisherFixture createFixture() {
        return new WebhookFixture();
    }
}
