package dev.typedoutbox.standalone;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Writes each line of the log as one JSON object, whose keys are the line's own. */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = new byte[0];

    private final JsonFactory json = new JsonFactory();

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        try (JsonGenerator generator = json.createGenerator(line)) {
            generator.writeStartObject();
            for (Map.Entry<String, Object> field : fields(event).entrySet()) {
                write(generator, field.getKey(), field.getValue());
            }
            generator.writeEndObject();
            generator.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toByteArray();
    }

    private static Map<String, Object> fields(ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", event.getInstant());
        fields.put("level", event.getLevel());
        fields.put("logger", event.getLoggerName());
        fields.put("thread", event.getThreadName());
        fields.put("message", event.getFormattedMessage());
        @Nullable List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> fields.putIfAbsent(pair.key, pair.value == null ? "" : pair.value));
        }
        event.getMDCPropertyMap().forEach(fields::putIfAbsent);
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            fields.put("error", ThrowableProxyUtil.asString(thrown));
        }
        return fields;
    }

    private static void write(JsonGenerator generator, String name, Object value) throws IOException {
        generator.writeFieldName(name);
        if (value instanceof Long || value instanceof Integer) {
            generator.writeNumber(((Number) value).longValue());
        } else if (value instanceof Number number) {
            generator.writeNumber(number.doubleValue());
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else {
            generator.writeString(String.valueOf(value));
        }
    }
}
