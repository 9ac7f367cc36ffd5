package dev.typedoutbox.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

/** What would bind one value in the place of another is refused. */
class RenderedQueryTest {
    private static final OutboxDsl DSL = new OutboxDsl("public");

    @Test
    void queryWithAValueThatIsNoVariableIsRefused() {
        assertThatThrownBy(() -> new RenderedQuery(
                        DSL,
                        select(RenderedQuery.variable(0, SQLDataType.INTEGER).plus(1)),
                        1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be inlined or variables");
    }

    @Test
    void runWithAValueTooManyIsRefused() {
        RenderedQuery query = new RenderedQuery(
                DSL, select(RenderedQuery.variable(0, SQLDataType.INTEGER).plus(inline(1))), 1);

        assertThatThrownBy(() -> query.fetch(DSL.unconnected(), val(1), val(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a run must have 1 values (was 2)");
    }
}
