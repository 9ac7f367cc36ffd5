package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What an operator sees and does, in a real browser. */
@Timeout(120)
class AdminPageBrowserTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static Browser browser;

    private final AdminFixture page = new AdminFixture(settings -> settings.showPayloads(true));

    @BeforeAll
    static void start() {
        browser = Browser.start();
    }

    @AfterAll
    static void quit() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void close() {
        browser.prefer("prefers-color-scheme", "light");
        // Or it would complain of the server that is gone, in the next test.
        browser.open("about:blank", 1280);
        browser.errors();
        page.close();
    }

    private void open(int width) {
        browser.open(page.uri(), width);
        awaitText("#connection", "Live");
    }

    private static void awaitText(String css, String text) {
        await().ignoreExceptions()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(browser.text(css)).contains(text));
    }

    private static void awaitNo(String css) {
        await().atMost(SOON).until(() -> browser.findAll(css).isEmpty());
    }

    private static Relay relay(RabbitPublisher publisher, AdminFixture page) {
        RelayConfig config = RelayConfig.builder()
                .name("first")
                .listenOn(page.database().dataSource())
                .retryPolicy(new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1)))
                .observer(page.server().observer())
                .build();
        Relay relay = Relay.create(page.database().dataSource(), publisher, config);
        relay.start();
        return relay;
    }

    @Test
    void countsMoveAndARetriedDeadLetterIsDelivered() {
        Destination destination = new Destination();
        String order = page.database().publish("1", "order.created").toString();
        String invoice = page.database().publish("2", "invoice.sent").toString();
        open(1280);
        awaitText("#pending", "2");
        awaitText("#types", "invoice.sent");
        awaitText("#rate-note", "no relay in this process");

        try (RabbitPublisher publisher =
                        RabbitPublisher.create(Destination.broker(), Routing.toExchange(destination.exchange()));
                Relay relay = relay(publisher, page)) {
            awaitText("#pending", "0");
            awaitText("#dead", "1");
            awaitText("#relays", "running");
            awaitText("#plot-rate .plot-values", "published");
            awaitText("#letters tbody", "NO_ROUTE");
            assertThat(destination.take()).isEqualTo(order);
            assertThat(destination.take()).isNull();

            destination.takeInvoices();
            browser.click("#letters button[aria-label^=Retry]");
            browser.click("#confirm-do");
            awaitText("#toasts", "invoice.sent is sent again.");
            await().atMost(SOON).until(() -> invoice.equals(destination.take()));
            awaitText("#dead", "0");
            awaitText("#list-note", "No dead letters.");
            relay.close();
        }
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void hostileTextIsShownAndNotRun() {
        String markup = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>";
        String payload = "{\"a\": \"</pre><script>document.title='run'</script>\", \"big\": 12345678901234567890.10}";
        page.database().dead("\u202egnp.exe" + "W".repeat(80), markup, markup + "\u202e" + "E".repeat(500), payload);
        open(390);
        awaitText("#letters tbody", "onerror=");
        assertThat(browser.text("#letters tbody")).contains("\\u202egnp.exe").doesNotContain("\u202e");
        assertThat(browser.findAll("#letters img, #letters script")).isEmpty();
        assertNothingOverflows();

        browser.click("#letters button.link");
        awaitText("#letter-dialog .payload", "\"big\": 12345678901234567890.10");
        assertThat(browser.text("#letter-dialog")).contains("</pre><script>", "\\u202e", "tenant", "blue");
        assertThat(browser.findAll("#letter-dialog img, #letter-dialog script")).isEmpty();
        assertNothingOverflows();
        assertThat(browser.run("return document.title")).isEqualTo("Typed Outbox");
        assertThat(browser.errors()).isEmpty();
    }

    private static void assertNothingOverflows() {
        assertThat(browser.run("const page = document.documentElement;"
                        + " const dialog = document.querySelector('dialog[open]') ?? page;"
                        + " return page.scrollWidth <= innerWidth && dialog.scrollWidth <= dialog.clientWidth"))
                .isEqualTo("true");
    }

    @Test
    void nothingOverflowsAtAnyWidth() {
        page.database().publish("1", "W".repeat(100));
        page.dead("W".repeat(100), "W".repeat(100), "E".repeat(2_000));
        open(1280);
        awaitText("#types", "WWW");
        awaitText("#letters tbody", "EEE");
        for (int width : new int[] {320, 390, 600, 760, 1_000, 1_280, 1_920}) {
            browser.resize(width);
            assertThat(browser.run("return innerWidth")).isEqualTo(String.valueOf(width));
            assertNothingOverflows();
        }
        browser.resize(390);
        browser.click("#letters button[aria-label^=Discard]");
        assertThat(browser.text("#confirm-dialog")).contains("WWW");
        assertNothingOverflows();
    }

    @Test
    void keyboardAloneDiscards() {
        UUID id = page.dead("7", "order.paid", "NO_ROUTE");
        page.dead("8", "order.paid", "NO_ROUTE");
        open(1280);
        awaitText("#letters tbody", "order 7");

        browser.tabTo("#letters button[aria-label^=Discard]");
        assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");
        browser.press(Keys.ENTER);
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("confirm-reason");
        assertFocusStaysInside("#confirm-dialog");
        browser.press(Keys.ESCAPE);
        assertThat(browser.run("return document.activeElement.getAttribute('aria-label')"))
                .isEqualTo("Discard… order.paid of order 7");

        browser.press(Keys.ENTER);
        browser.press("sent by hand", Keys.ENTER);
        awaitText("#toasts", "order.paid is discarded.");
        awaitText("#dead", "1");
        assertThat(page.database().value("select last_error from outbox_events where id = ?::uuid", id.toString()))
                .isEqualTo("discarded: sent by hand");
        await().atMost(SOON)
                .until(() -> browser.run("return document.activeElement.id").equals("dead-title"));
        assertThat(browser.errors()).isEmpty();
    }

    /** The browser's own controls, beyond the page, come in between; there is none of the page's outside of the dialog. */
    private static void assertFocusStaysInside(String dialog) {
        for (int i = 0; i < 6; i++) {
            browser.press(Keys.TAB);
            assertThat(browser.run("return document.activeElement === document.body"
                            + " || document.activeElement.closest('" + dialog + "') !== null"))
                    .isEqualTo("true");
        }
    }

    @Test
    void everyControlHasANameAndEveryDialogATitle() {
        page.dead("7", "order.paid", "NO_ROUTE");
        open(1280);
        awaitText("#letters tbody", "order 7");
        for (WebElement control : browser.findAll("button, input, select, summary, dialog, table, svg[role=img]")) {
            if (control.isDisplayed() && !control.getTagName().equals("table")) {
                assertThat(control.getAccessibleName()).as(control.getTagName()).isNotBlank();
            }
        }
    }

    @Test
    void doubleClickRetriesOnce() {
        page.dead("7", "order.paid", "NO_ROUTE");
        open(1280);
        awaitText("#letters tbody", "order 7");
        browser.run("const fetched = window.fetch; window.posts = 0;"
                + " window.fetch = (path, options) => { window.posts += options?.method === 'POST' ? 1 : 0;"
                + " return fetched(path, options); }");
        browser.click("#letters button[aria-label^=Retry]");
        browser.run("const button = document.getElementById('confirm-do'); button.click(); button.click()");
        awaitText("#toasts", "order.paid is sent again.");
        awaitNo("#letters tbody tr");
        assertThat(browser.run("return window.posts")).isEqualTo("1");
    }

    @Test
    void deadLetterThatIsGoneIsTold() {
        String id = page.dead("7", "order.paid", "NO_ROUTE").toString();
        page.dead("8", "order.sent", "NO_ROUTE");
        open(1280);
        awaitText("#letters tbody", "order 7");
        browser.click("#letters button[aria-label^=Retry]");
        page.client().change("/api/dead-letters/" + id + "/retry", "");
        browser.click("#confirm-do");
        awaitText("#confirm-error", id + " is no dead letter any more");
        browser.click("#confirm-cancel");
        await().atMost(SOON).until(() -> browser.findAll("#letters tbody tr").size() == 1);
    }

    @Test
    void filterNarrowsWhatAllMeans() {
        for (int i = 0; i < 30; i++) {
            page.dead("a" + i, "order.paid", "NO_ROUTE");
        }
        page.dead("b", "order.sent", "NO_ROUTE");
        open(1280);
        await().atMost(SOON).until(() -> browser.findAll("#letters tbody tr").size() == 25);
        browser.click("#next-page");
        await().atMost(SOON).until(() -> browser.findAll("#letters tbody tr").size() == 6);

        browser.find("#filter [name=eventType]").sendKeys("order.sent", Keys.ENTER);
        await().atMost(SOON).until(() -> browser.findAll("#letters tbody tr").size() == 1);
        browser.click("#discard-all");
        awaitText("#confirm-title", "Discard 1 dead letter that matches the filter?");
        browser.find("#confirm-reason").sendKeys("obsolete");
        browser.click("#confirm-do");
        awaitText("#toasts", "1 event is discarded.");
        awaitText("#list-note", "No dead letter matches.");
        assertThat(page.database().count("dead_at is not null")).isEqualTo(30);

        browser.click("#filter button[type=reset]");
        await().atMost(SOON).until(() -> browser.findAll("#letters tbody tr").size() == 25);
        browser.click("#retry-all");
        awaitText("#confirm-title", "Retry all 30 dead letters?");
        browser.click("#confirm-do");
        awaitText("#toasts", "30 events are sent again.");
        assertThat(page.database().count("dead_at is not null")).isZero();
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void darkSchemeHasColoursOfItsOwn() {
        open(1280);
        Object light = browser.run("return getComputedStyle(document.body).backgroundColor");
        browser.prefer("prefers-color-scheme", "dark");
        Object dark = browser.run("return getComputedStyle(document.body).backgroundColor");
        assertThat(dark).isNotEqualTo(light).isEqualTo("rgb(16, 20, 26)");
    }

    @Test
    void nothingMovesWhereLessMotionIsPreferred() {
        open(1280);
        String moves = "return getComputedStyle(document.querySelector('.tiles')).transitionDuration";
        browser.prefer("prefers-reduced-motion", "no-preference");
        assertThat(browser.run(moves)).isEqualTo("0.3s");
        browser.prefer("prefers-reduced-motion", "reduce");
        assertThat(browser.run(moves)).isEqualTo("0s");
    }

    @Test
    void lostConnectionIsToldAndComesBackByItself() {
        try (AdminFixture gone = AdminFixture.open()) {
            browser.open(gone.uri(), 1280);
            awaitText("#connection", "Live");
            int port = gone.server().port();
            gone.server().close();
            awaitText("#connection", "Connection lost");
            awaitText("#banner", "The connection to the server is lost since");
            try (AdminServer back =
                    AdminServer.builder(gone.database().dataSource()).port(port).build()) {
                back.start();
                awaitText("#connection", "Live");
                assertThat(browser.text("#banner")).isEmpty();
            }
        }
    }

    @Test
    void pageThatIsOneTooManyIsToldSoAndWaitsForRoom() {
        List<EventReader> others = new ArrayList<>();
        for (int i = 0; i < LiveStream.MOST_CLIENTS; i++) {
            others.add(page.client().stream());
        }
        browser.open(page.uri(), 1280);
        awaitText("#banner", "open pages must be at most 20");
        others.forEach(EventReader::close);
        awaitText("#connection", "Live");
        assertThat(browser.text("#banner")).isEmpty();
    }

    @Test
    void readOnlyPageHasNoButtonsForChanges() {
        try (AdminFixture readOnly = new AdminFixture(settings -> settings.readOnly(true))) {
            readOnly.dead("7", "order.paid", "NO_ROUTE");
            browser.open(readOnly.uri(), 1280);
            awaitText("#letters tbody", "order 7");
            assertThat(browser.text("#read-only")).isEqualTo("Read-only");
            assertThat(browser.text("body")).doesNotContain("Retry", "Discard");
            browser.click("#letters button.link");
            awaitText("#letter-dialog", "Payload and headers are not shown");
            assertThat(browser.text("#letter-dialog")).doesNotContain("Retry", "Discard");
        }
    }

    @Test
    void logInFormLetsInAndOut() {
        try (AdminFixture closed = new AdminFixture(settings -> settings.token(AdminFixture.TOKEN))) {
            browser.open(closed.uri(), 390);
            browser.find("#token").sendKeys("not the token", Keys.ENTER);
            awaitText(".form-error", "This is not the token.");
            browser.errors();
            browser.find("#token").sendKeys(AdminFixture.TOKEN, Keys.ENTER);
            awaitText("#connection", "Live");
            assertThat(browser.run("return document.cookie")).isEqualTo("");
            assertThat(browser.errors()).isEmpty();
            browser.click("#sign-out");
            awaitText("h1", "Typed Outbox");
            await().atMost(SOON).until(() -> !browser.findAll("#token").isEmpty());
        }
    }
}
