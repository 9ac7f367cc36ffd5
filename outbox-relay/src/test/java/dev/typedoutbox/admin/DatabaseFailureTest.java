package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatabaseFailureTest {
    @Test
    void databaseIsNamedByACauseHoweverDeep() {
        assertThat(DatabaseFailure.isIn(new IllegalStateException(new IllegalStateException(new SQLException("gone")))))
                .isTrue();
        assertThat(DatabaseFailure.isIn(new IllegalStateException("other"))).isFalse();
    }

    @Test
    void circleOfCausesHasAnEnd() {
        IllegalStateException one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("two", one));
        assertThat(DatabaseFailure.isIn(one)).isFalse();
    }
}
