package dev.typedoutbox.migratein;

/** Where a service has its plain table; the outbox is to be in schema public. */
enum Place {
    SAME_NAME("public", "outbox_events"),
    OTHER_NAME("public", "Order outbox"),
    OTHER_SCHEMA("shop", "outbox_events");

    private final String schema;
    private final String table;

    Place(String schema, String table) {
        this.schema = schema;
        this.table = table;
    }

    String schema() {
        return schema;
    }

    String table() {
        return table;
    }

    /** What the service's statements call it. */
    String inSql() {
        return quoted(schema);
    }

    /** What it is called while it is set aside. */
    String asideInSql() {
        return quoted(schema + "_plain");
    }

    private String quoted(String where) {
        return "\"" + where + "\".\"" + table + "\"";
    }
}
