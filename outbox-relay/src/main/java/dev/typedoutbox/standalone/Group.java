package dev.typedoutbox.standalone;

/** Settings that are used together, in the order in which help shows them. */
enum Group {
    DATABASE("Database"),
    BROKER("Broker"),
    RELAY("Relay"),
    CLEANUP("Cleanup"),
    HEALTH("Health and metrics"),
    ADMIN("Admin page"),
    LOG("Log");

    private final String heading;

    Group(String heading) {
        this.heading = heading;
    }

    String heading() {
        return heading;
    }
}
