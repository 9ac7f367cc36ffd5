package dev.typedoutbox.standalone;

import java.util.Set;

/** What a command does. */
interface Action {
    /** Which settings it uses; no others are checked. Mostly those of a command that asks the database. */
    default Set<Group> groups() {
        return Set.of(Group.DATABASE, Group.LOG);
    }

    /**
     * Does it.
     *
     * @return how it ended
     * @throws Exception what is explained to the user
     */
    int run(Settings settings, Terminal terminal) throws Exception;
}
