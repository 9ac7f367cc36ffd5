package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.ShutdownSignalException;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    @Test
    void circleOfCausesComesToAnEnd() {
        RuntimeException one = new RuntimeException((String) null);
        RuntimeException other = new RuntimeException(null, one);
        one.initCause(other);
        assertThat(Reasons.of(one)).isEqualTo("RuntimeException");
        assertThat(Reasons.replyCode(one)).isEmpty();
    }

    @Test
    void exceptionThatCannotSayItsMessageIsNamed() {
        assertThat(Reasons.of(new Mute())).isEqualTo("Mute");
    }

    @Test
    void connectionThatTheClientEndsTellsWhy() {
        ShutdownSignalException shutdown = new ShutdownSignalException(true, true, null, null);
        shutdown.initCause(new MalformedFrameException("too many levels"));
        assertThat(Reasons.of(shutdown)).endsWith(": too many levels");
    }

    @Test
    void textOfOthersIsOneLine() {
        assertThat(Reasons.inOneLine("a\n  Detail:\u0007 b")).isEqualTo("a Detail:\uFFFD b");
    }

    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("on purpose");
        }
    }
}
