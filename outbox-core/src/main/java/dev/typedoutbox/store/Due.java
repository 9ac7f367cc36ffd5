package dev.typedoutbox.store;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import java.util.UUID;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** The columns of the rows that may be sent, as a statement finds them before it reads them. */
final class Due {
    /** Its place in the table. */
    static final Field<Object> ROW = field(name("due", "row"));

    static final Field<UUID> ID = field(name("due", "id"), SQLDataType.UUID);
    static final Field<Long> SEQ = field(name("due", "seq"), SQLDataType.BIGINT);
    static final Field<String> AGGREGATE_TYPE = field(name("due", "aggregate_type"), SQLDataType.VARCHAR);
    static final Field<String> AGGREGATE_ID = field(name("due", "aggregate_id"), SQLDataType.VARCHAR);
    static final Field<Integer> BYTES = field(name("due", "bytes"), SQLDataType.INTEGER);

    private Due() {}
}
