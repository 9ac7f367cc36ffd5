package dev.typedoutbox.testkit.publisher;

class InMemoryPublisherConformanceTest extends PublisherConformance {
    @Override
    protected PublisherFixture createFixture() {
        return new InMemoryFixture();
    }
}
