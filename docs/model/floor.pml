/*
 * The floor: a fetch reads only the numbers from the floor on, and the floor passes a number only when nothing below it
 * can come, or come back.
 *
 * The writers of two aggregates, a relay with its floor, a reader whose transaction never ends, an operator, and a
 * database that may crash. A batch is one step here, of one event: order.pml is about its inside. README.md tells the
 * rest.
 */

#define EVENTS 4            /* the numbers (seq) 1..EVENTS; element 0 of the arrays is unused */

/* NO_SWEEP: no fetch ever reads from zero. HOLD: see below. */
#ifdef BROKEN_FLOOR_AT_LAST_SEEN_WITHOUT_SWEEP
#define BROKEN_FLOOR_AT_LAST_SEEN
#define NO_SWEEP
#define WRITES 1            /* one event an aggregate: none can be overtaken, but it can be lost */
#endif
#ifdef BROKEN_RETRIES_WITHOUT_SWEEP
#define NO_SWEEP
#define RETRIES 1
#endif
#ifdef BROKEN_FLOOR_PASSES_HELD_DEAD_LETTERS
#define HOLD
#define RETRIES 1
#endif
#ifdef BROKEN_FLOOR_OUTLIVES_THE_SESSION
#define CRASHES 1
#define WRITES 2
#endif

#ifndef WRITES
#define WRITES 3            /* transactions on the first aggregate; the second has one */
#endif

/* How often, in one run, something may happen. */
#ifndef REFUSALS
#define REFUSALS 1          /* the broker refuses an event, which then waits for its retry or is dead */
#endif
#ifndef RETRIES
#define RETRIES 0           /* an operator retries the dead letters, all in one transaction */
#endif
#ifndef CRASHES
#define CRASHES 0           /* the database crashes and comes back, or another takes its place */
#endif

/* What is done with an aggregate whose event is dead: its later ones go on (default), or wait for an operator. */
#ifdef HOLD
#define HOLDS_BACK(k) (row[k] == WAITING || row[k] == DEAD)
#define GIVE_UP(k)    row[k] = DEAD
#else
#define HOLDS_BACK(k) (row[k] == WAITING)
#define GIVE_UP(k)    row[k] = DEAD; given_up[k] = true
#endif

#define EACH_EVENT(option) option(1) option(2) option(3) option(4)

mtype:state = { ABSENT, UNCOMMITTED, PENDING, WAITING, PROCESSED, DEAD }
mtype:state row[EVENTS + 1] = ABSENT;
byte aggregate_of[EVENTS + 1];
bool delivered[EVENTS + 1];
bool given_up[EVENTS + 1];  /* its later ones may have gone on, for good */
byte last_seq;

/* The transactions in progress that hold a lock on the table: a writer for its INSERT, a reader in its own mode. */
#define WRITER(a) (1 << a)
#define READER    (1 << 2)
byte table_locks;

byte floor;
byte awaited;               /* the transactions that the floor's round waits for; each leaves when it ends */
byte crashed;               /* how often the database did */
byte noticed;               /* how many of these the relay has noticed, by its session being gone */

byte refusals = REFUSALS;
byte retries = RETRIES;
byte crashes = CRASHES;

/* The properties: variables, so that the checker's message names what was violated. */
bool out_of_order, left_behind, floor_held_back;

#define UNDELIVERED(k) (!delivered[k] && !given_up[k] && (row[k] == PENDING || HOLDS_BACK(k)))

/*
 * All writers of one aggregate, which its row lock makes one after the other. An INSERT locks the table before it draws
 * the number, and the lock stays to the end of the transaction. A crash ends the transaction; its lock is gone then.
 */
#define IN_TRANSACTION (table_locks & WRITER(a))
proctype writers(byte a; byte transactions) {
    byte e, cached;
    do
    :: atomic { transactions > 0 -> transactions--; table_locks = table_locks | WRITER(a) };
        atomic {
            if
            :: IN_TRANSACTION && cached == 0 -> last_seq++; e = last_seq
            :: IN_TRANSACTION && cached != 0 -> e = cached; cached = 0
            :: else -> goto over
            fi;
#ifdef BROKEN_SEQUENCE_CACHE
            if
            :: transactions > 0 -> last_seq++; cached = last_seq
            :: else
            fi;
#endif
            aggregate_of[e] = a;
            row[e] = UNCOMMITTED;
            printf("writer: inserts %d for aggregate %d\n", e, a)
        };
        atomic {
            if
            :: IN_TRANSACTION -> row[e] = PENDING; printf("writer: commits %d\n", e)
            :: IN_TRANSACTION -> row[e] = ABSENT; printf("writer: rolls back %d\n", e)
            :: else
            fi;
            table_locks = table_locks & ~WRITER(a);
            awaited = awaited & ~WRITER(a);
over:
            e = 0
        }
    :: else -> break
    od
}

/* READ COMMITTED: it may read as much as it likes, and its lock stays. */
active proctype long_reader() {
    table_locks = table_locks | READER
}

#define DUE(e) :: d_step { row[e] == WAITING -> row[e] = PENDING; printf("clock: %d is due again\n", e) }
active proctype clock() {
end_clock:
    do
    EACH_EVENT(DUE)
    od
}

#define REVIVE(e) row[e] = (row[e] == DEAD -> PENDING : row[e]);
active proctype operator() {
end_operator:
    do
    :: d_step { retries > 0 && (row[1] == DEAD || row[2] == DEAD || row[3] == DEAD || row[4] == DEAD) ->
        retries--;
        EACH_EVENT(REVIVE)
        printf("operator: dead letters retried\n") }
    od
}

/*
 * What only the log's unflushed end held is gone: transactions in progress, marks (synchronous_commit is off for them),
 * and the draw of a number whose transaction did not commit, so that the number is drawn again.
 */
#define UNDO(e) \
    if \
    :: row[e] == UNCOMMITTED -> row[e] = ABSENT \
    :: row[e] == PROCESSED || row[e] == DEAD -> row[e] = PENDING \
    :: row[e] != UNCOMMITTED \
    fi;
active proctype database() {
end_database:
    do
    :: atomic { crashes > 0 ->
        crashes--;
        crashed++;
        EACH_EVENT(UNDO)
        do
        :: last_seq > 0 && row[last_seq] == ABSENT -> last_seq--
        :: break
        od;
        table_locks = 0;
        awaited = 0;
        printf("database: crashed, the last number is %d\n", last_seq) }
    od
}

/* The next of its aggregate among the rows that a fetch from this number on can see. */
#define BEFORE(k, e, from) \
    (k < e && aggregate_of[k] == aggregate_of[e] && (HOLDS_BACK(k) || (row[k] == PENDING && k >= from)))
#define FIRST(e, from) \
    (row[e] == PENDING && e >= from && !BEFORE(1, e, from) && !BEFORE(2, e, from) && !BEFORE(3, e, from))

#define OVERTAKEN(k, e) (k < e && aggregate_of[k] == aggregate_of[e] && UNDELIVERED(k))
inline publish(e) {
    if
    :: printf("relay: %d confirmed\n", e);
        out_of_order = !delivered[e] && (OVERTAKEN(1, e) || OVERTAKEN(2, e) || OVERTAKEN(3, e));
        assert(!out_of_order);
        row[e] = PROCESSED;
        delivered[e] = true
    :: refusals > 0 -> refusals--; row[e] = WAITING; printf("relay: %d refused\n", e)
    :: refusals > 0 -> refusals--; GIVE_UP(e); printf("relay: %d refused, and dead\n", e)
    fi
}

#define FETCH(e) :: atomic { noticed == crashed && FIRST(e, floor) -> publish(e) }
#define SWEEP(e) :: atomic { noticed == crashed && FIRST(e, 0) -> publish(e) }
active proctype relay() {
end_relay:
    do
    EACH_EVENT(FETCH)
#ifndef NO_SWEEP
    EACH_EVENT(SWEEP)
#endif
    :: d_step { noticed < crashed -> noticed = crashed;
#ifndef BROKEN_FLOOR_OUTLIVES_THE_SESSION
        floor = 0
#endif
        }
    od
}

/*
 * The rounds that raise the floor. Read the sequence's last value; then collect the transactions that hold a writer's
 * lock on the table, for whoever comes later draws a higher number; wait until these have ended; then find, in a new
 * snapshot, the lowest number from the floor to that value that is not settled for good.
 *
 * A round that would not raise the floor changes nothing and is left out: it waits until it will.
 */
#ifdef BROKEN_FLOOR_PASSES_HELD_DEAD_LETTERS
#define NOT_FOR_GOOD(k) (row[k] == PENDING || row[k] == WAITING)
#else
#define NOT_FOR_GOOD(k) (row[k] == PENDING || HOLDS_BACK(k))
#endif

#ifdef BROKEN_FLOOR_WAITS_FOR_READERS
#define COLLECT d_step { awaited = table_locks; printf("relay: collects the transactions in progress\n") }
#else
#define COLLECT d_step { awaited = table_locks & ~READER; printf("relay: collects the transactions in progress\n") }
#endif

#ifdef BROKEN_FLOOR_OUTLIVES_THE_SESSION
#define SESSION_LOST false
#else
#define SESSION_LOST (began != crashed)
#endif

#define READ_LAST_VALUE d_step { last = last_seq; printf("relay: the last value is %d\n", last) }
#define AWAIT           awaited == 0
#define RAISE           floor = lowest; printf("relay: the floor is %d\n", floor)
#define FIND_LOWEST     (floor == 0 || !NOT_FOR_GOOD(floor)) -> find_lowest()
inline find_lowest() {
    lowest = floor;
    do
    :: lowest <= last && !NOT_FOR_GOOD(lowest) -> lowest++
    :: else -> break
    od
}

#define SEEN(k) (k >= floor && row[k] != ABSENT && row[k] != UNCOMMITTED)
#ifdef BROKEN_FLOOR_AT_LAST_SEEN
#define SOMETHING_TO_PASS (SEEN(1) || SEEN(2) || SEEN(3) || SEEN(4))
#else
#define SOMETHING_TO_PASS (floor <= last_seq)
#endif
inline find_last_seen() {
    last = EVENTS;
    do
    :: !SEEN(last) -> last--
    :: else -> break
    od
}

active proctype floor_rounds() {
    byte last, lowest, began;
end_idle:
    atomic { SOMETHING_TO_PASS && noticed == crashed -> began = crashed };
    {
#if defined(BROKEN_FLOOR_AT_LAST_SEEN)
        d_step { find_last_seen() };
end_held:
        d_step { FIND_LOWEST; RAISE }
#elif defined(BROKEN_LAST_VALUE_AFTER_COLLECTING)
        COLLECT;
        READ_LAST_VALUE;
        AWAIT;
end_held:
        d_step { FIND_LOWEST; RAISE }
#elif defined(BROKEN_FLOOR_FROM_A_SNAPSHOT_BEFORE_THE_WAIT)
        READ_LAST_VALUE;
        COLLECT;
        d_step { FIND_LOWEST };
        AWAIT;
        d_step { RAISE }
#else
        READ_LAST_VALUE;
        COLLECT;
        AWAIT;
end_held:
        d_step { FIND_LOWEST; RAISE }
#endif
    } unless { SESSION_LOST };
    d_step { last = 0; lowest = 0; began = 0 };
    goto end_idle
}

/*
 * All has happened that may happen, and nobody can do anything more: only what is behind a dead one under HOLD is left,
 * and the floor is above all numbers or at one that is not settled for good.
 */
#define DONE(k) \
    left_behind = left_behind || \
        (row[k] == PENDING && !BEHIND_DEAD(1, k) && !BEHIND_DEAD(2, k) && !BEHIND_DEAD(3, k));
#define BEHIND_DEAD(d, k) (d < k && aggregate_of[d] == aggregate_of[k] && row[d] == DEAD && HOLDS_BACK(d))
active proctype the_end() {
    byte k;
    timeout ->
    d_step {
        EACH_EVENT(DONE)
        k = EVENTS;
        do
        :: k > 0 && (row[k] == ABSENT || row[k] == UNCOMMITTED) -> k--
        :: else -> break
        od;
        do
        :: k > 0 && floor <= k -> floor_held_back = floor_held_back || !NOT_FOR_GOOD(floor); break
        :: else -> break
        od
    };
    assert(!left_behind);
    assert(!floor_held_back)
}

init {
    atomic { run writers(0, WRITES); run writers(1, 1) }
}
