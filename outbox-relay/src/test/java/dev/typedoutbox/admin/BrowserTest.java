package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BrowserTest {
    @Test
    void missingBrowserIsAFailureWhereOneIsRequired() {
        assertThat(Browser.find(Map.of("PATH", "/nowhere")::get)).isEmpty();
        assertThatThrownBy(() -> Browser.find(Map.of("PATH", "/nowhere", Browser.VARIABLE, "required")::get))
                .hasMessage("OUTBOX_TEST_BROWSER is required, but there is no Chromium: install chromium and"
                        + " chromium-driver");
    }
}
