package dev.typedoutbox.admin;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** Headless Chromium with one page open. */
final class Browser implements AutoCloseable {
    /** The environment variable that turns the skip of a test without a browser into a failure: {@value}. */
    static final String VARIABLE = "OUTBOX_TEST_BROWSER";

    static final String HOW_TO_GET_ONE = "install chromium and chromium-driver";

    private final ChromeDriver driver;

    private Browser(Programs programs) {
        // Without it Selenium looks for a driver elsewhere, and would download one.
        System.setProperty("webdriver.chrome.driver", programs.driver.toString());
        ChromeOptions options = new ChromeOptions();
        options.setBinary(programs.chromium.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--window-size=1280,900");
        options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
        driver = new ChromeDriver(options);
    }

    /** Skips the test where there is no Chromium, unless one is required. */
    static Browser start() {
        Optional<Programs> programs = find(System::getenv);
        Assumptions.assumeTrue(programs.isPresent(), HOW_TO_GET_ONE);
        return new Browser(programs.orElseThrow());
    }

    static Optional<Programs> find(Function<String, @Nullable String> environment) {
        Optional<Path> chromium = onPath(environment, "chromium");
        Optional<Path> driver = onPath(environment, "chromedriver");
        if (chromium.isPresent() && driver.isPresent()) {
            return Optional.of(new Programs(chromium.get(), driver.get()));
        }
        if ("required".equals(environment.apply(VARIABLE))) {
            throw new IllegalStateException(VARIABLE + " is required, but there is no Chromium: " + HOW_TO_GET_ONE);
        }
        return Optional.empty();
    }

    private static Optional<Path> onPath(Function<String, @Nullable String> environment, String program) {
        String path = environment.apply("PATH");
        return Arrays.stream(path == null ? new String[0] : path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Shows a page in a window of that width; a phone's is 390. */
    void open(Object uri, int width) {
        resize(width);
        driver.get(uri.toString());
    }

    void resize(int width) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    }

    void prefer(String feature, String value) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> findAll(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** What is shown of it; empty where it is hidden. */
    String text(String css) {
        return find(css).getText();
    }

    void click(String css) {
        find(css).click();
    }

    /** What a script of the test's own answers. */
    Object run(String script) {
        return String.valueOf(driver.executeScript(script));
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Moves the focus forward until it is on an element that matches. */
    void tabTo(String css) {
        for (int i = 0; i < 60; i++) {
            press(Keys.TAB);
            if ("true".equals(run("return document.activeElement.matches('" + css + "')"))) {
                return;
            }
        }
        throw new IllegalStateException("the focus never came to " + css);
    }

    /** What the console tells of errors since the last call, among them violations of the content security policy. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }

    /** What is needed of an installation. */
    record Programs(Path chromium, Path driver) {}
}
