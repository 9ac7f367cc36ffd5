/*
 * Batches: slots, snapshots, waves, verdicts and settling, with faults at any point.
 *
 * Three writers' transactions on two aggregates, two workers, a broker. Steps have no duration: whatever takes time may
 * take any time. README.md tells what is left out and why that is sound, and what each BROKEN_ variant shows.
 *
 * Spin 6.5 takes a local array that is named like its mtype for a global one, so no variable has the name of a type.
 */

#define EVENTS       3      /* the numbers (seq) 1..EVENTS; element 0 of the arrays is unused */
#define SLOTS        2
#define BATCH        2      /* the most rows of a batch, fewer than there can be */
#ifndef MAX_ATTEMPTS
#define MAX_ATTEMPTS 2
#endif

/* How often, in one run, something may go wrong. */
#ifndef REFUSALS
#define REFUSALS 2          /* the broker refuses an event */
#endif
#ifndef OUTAGES
#define OUTAGES 0           /* a broker connection is lost */
#endif
#ifndef FAULTS
#define FAULTS 0            /* a worker dies, or its database session does */
#endif
#ifndef FOREIGN_LOCKS
#define FOREIGN_LOCKS 0     /* a session that is no relay's locks a pending row for a while */
#endif

#if defined(BROKEN_LOCK_AND_FETCH_IN_ONE_STATEMENT) || defined(BROKEN_LOCK_AND_CANDIDATES_IN_ONE_STATEMENT)
#define FETCH_IN_THE_LOCKS_SNAPSHOT
#endif

/* What is done with an aggregate whose event is dead: its later ones go on (default), or wait for an operator. */
#ifdef HOLD
#define HOLDS_BACK(state) (state == WAITING || state == DEAD)
#else
#define HOLDS_BACK(state) (state == WAITING)
#endif

#define EACH_EVENT(option) option(1) option(2) option(3)
#define NOBODY 255

/* A row as a statement that begins now sees it; nobody sees an uncommitted one, and a rolled-back one leaves a gap. */
mtype:state = { ABSENT, UNCOMMITTED, PENDING, WAITING, PROCESSED, DEAD }
mtype:state row[EVENTS + 1] = ABSENT;
byte aggregate_of[EVENTS + 1];
byte attempts[EVENTS + 1];
bool row_locked[EVENTS + 1];
byte last_seq;

bool aggregate_locked[2];   /* the business row that each writer of an aggregate updates before it inserts the event */
byte slot_of[2];            /* of each aggregate */
byte slot_holder[SLOTS] = NOBODY;

/* The broker. A copy in limbo left on a connection that is gone: it may arrive at any later time, or never. */
bool delivered[EVENTS + 1];
bool in_limbo[EVENTS + 1];

byte refusals = REFUSALS;
byte outages = OUTAGES;
byte faults = FAULTS;
byte foreign_locks = FOREIGN_LOCKS;
byte foreign_row;           /* the row that the foreign session holds; 0 for none */

/* The properties: variables, so that the checker's message names what was violated. */
bool published_uncommitted, out_of_order, marked_undelivered, sent_too_early, left_behind;

#define AGGREGATE(e)   (1 << aggregate_of[e])
#define SLOT(e)        (1 << slot_of[aggregate_of[e]])
#define UNDELIVERED(e) ((row[e] == PENDING || HOLDS_BACK(row[e])) && !delivered[e])

/* Only an event's first arrival counts for the order; a later copy is a duplicate, no more. */
inline deliver(e) {
    d_step {
        published_uncommitted = (row[e] == ABSENT || row[e] == UNCOMMITTED);
        k = 1;
        do
        :: k < e ->
            out_of_order = out_of_order || (!delivered[e] && aggregate_of[k] == aggregate_of[e] && UNDELIVERED(k));
            k++
        :: else -> break
        od;
        k = 0;
        delivered[e] = true;
        in_limbo[e] = false
    };
    assert(!published_uncommitted);
    assert(!out_of_order)
}

/*
 * The number is drawn at the insert, while the writer holds its aggregate's row, and the commit comes later: numbers of
 * different aggregates may become visible in another order than they were drawn in.
 */
proctype writer(byte a) {
    byte e, k;
    atomic {
#ifndef BROKEN_WRITERS_NOT_SERIALISED
        !aggregate_locked[a] -> aggregate_locked[a] = true;
#endif
        last_seq++;
        e = last_seq;
        aggregate_of[e] = a;
        row[e] = UNCOMMITTED;
        printf("writer: inserts %d for aggregate %d\n", e, a)
    };
    atomic {
        if
        :: row[e] = PENDING;
            printf("writer: commits %d\n", e);
            k = e + 1;
            do
            :: k <= EVENTS -> out_of_order = out_of_order || (aggregate_of[k] == a && delivered[k]); k++
            :: else -> break
            od;
            assert(!out_of_order)
        :: row[e] = ABSENT;
            printf("writer: rolls back %d\n", e)
        fi;
        aggregate_locked[a] = false;
        e = 0;
        k = 0
    }
}

/* Retry times pass, on the database's clock. */
#define DUE(e) :: d_step { row[e] == WAITING -> row[e] = PENDING; printf("clock: %d is due again\n", e) }
proctype clock() {
end_clock:
    do
    EACH_EVENT(DUE)
    od
}

#define ARRIVE(e) \
    :: atomic { in_limbo[e] -> \
        if \
        :: printf("broker: a late copy of %d arrives\n", e); deliver(e) \
        :: in_limbo[e] = false \
        fi }
proctype limbo() {
    byte k;
end_limbo:
    do
    EACH_EVENT(ARRIVE)
    od
}

/* An operator or another program locks a pending row, and lets it go. */
#define LOCK_ROW(e) \
    :: atomic { foreign_locks > 0 && row[e] == PENDING && !row_locked[e] -> \
        foreign_locks--; row_locked[e] = true; foreign_row = e; printf("foreign session: locks %d\n", e) }
proctype foreign_session() {
end_foreign_session:
    do
    EACH_EVENT(LOCK_ROW)
    :: atomic { foreign_row != 0 -> row_locked[foreign_row] = false; foreign_row = 0 }
    od
}

/*
 * A batch, from the worker's side. Each statement has a snapshot of its own, taken when the statement begins, and other
 * processes come between the statements.
 */
mtype:verdict = { NOT_TAKEN, QUEUED, IN_FLIGHT, CONFIRMED, REFUSED, UNKNOWN }

inline take_snapshot() {
    k = 1;
    do
    :: k <= EVENTS -> seen[k] = (row[k] == UNCOMMITTED -> ABSENT : row[k]); k++
    :: else -> break
    od;
    k = 0
}

inline forget_snapshot() {
    k = 1;
    do
    :: k <= EVENTS -> seen[k] = ABSENT; k++
    :: else -> break
    od;
    k = 0
}

/* OutboxStore.lockSlots, first half: the slots that have something to send. */
inline find_busy_slots() {
    k = 1;
    do
    :: k <= EVENTS ->
        if
        :: HOLDS_BACK(seen[k]) -> held_back = held_back | AGGREGATE(k)
        :: seen[k] == PENDING && !(held_back & AGGREGATE(k)) -> busy = busy | SLOT(k)
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0;
    held_back = 0
}

/* OutboxStore.candidates: the lowest numbers of the held slots that are due and not behind one that waits. */
inline read_candidates() {
    k = 1;
    do
    :: k <= EVENTS && taken < BATCH ->
        if
#ifndef BROKEN_RETRY_HOLDS_NOTHING_BACK
        :: HOLDS_BACK(seen[k]) -> held_back = held_back | AGGREGATE(k)
#endif
        :: seen[k] == PENDING && (slots & SLOT(k)) && !(held_back & AGGREGATE(k)) -> outcome[k] = QUEUED; taken++
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0;
    held_back = 0
}

/*
 * OutboxStore.claim: finds the candidates and locks them in one statement, which takes all or nothing. PostgreSQL checks a
 * row that was changed meanwhile once more, by itself, and drops it.
 */
inline claim() {
    k = 1;
    do
    :: k <= EVENTS -> missing = missing || (outcome[k] == QUEUED && (row[k] != PENDING || row_locked[k])); k++
    :: else -> break
    od;
    k = 1;
    do
    :: k <= EVENTS ->
        if
#ifdef BROKEN_CLAIM_TAKES_WHAT_IT_GETS
        :: outcome[k] == QUEUED && (row[k] != PENDING || row_locked[k]) -> outcome[k] = NOT_TAKEN; taken--
        :: outcome[k] == QUEUED && !(row[k] != PENDING || row_locked[k]) -> row_locked[k] = true
#else
        :: outcome[k] == QUEUED && missing -> outcome[k] = NOT_TAKEN; taken--
        :: outcome[k] == QUEUED && !missing -> row_locked[k] = true
#endif
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0;
    missing = false
}

/*
 * OutboxStore.lockEvents and Fetch.withoutGaps, where the claim got nothing: what SKIP LOCKED passed over holds back the later ones of its
 * aggregate. In one statement with the fetch, PostgreSQL would check a row that was changed meanwhile once more, by
 * itself, and let the others pass.
 */
#ifdef BROKEN_LOCK_AND_FETCH_IN_ONE_STATEMENT
#define GONE(e) (row[e] != PENDING)
#else
#define GONE(e) (row[e] != PENDING && row[e] != WAITING)
#endif
inline lock_rows() {
    k = 1;
    do
    :: k <= EVENTS ->
        if
        :: outcome[k] == QUEUED && (GONE(k) || row_locked[k] || (held_back & AGGREGATE(k))) ->
            outcome[k] = NOT_TAKEN;
            taken--;
#if !defined(BROKEN_SKIP_LOCKED_WITHOUT_GAP_CHECK) && !defined(BROKEN_LOCK_AND_FETCH_IN_ONE_STATEMENT)
            held_back = held_back | AGGREGATE(k)
#endif
        :: outcome[k] == QUEUED && !(GONE(k) || row_locked[k] || (held_back & AGGREGATE(k))) -> row_locked[k] = true
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0;
    held_back = 0
}

/* Waves.publishWave: the next one of each aggregate whose former ones in this batch are all confirmed. */
inline send_wave() {
    k = 1;
    do
    :: k <= EVENTS ->
        if
        :: outcome[k] == QUEUED && !(held_back & AGGREGATE(k)) ->
            outcome[k] = IN_FLIGHT;
            in_flight++;
            printf("worker %d: sends %d\n", _pid, k);
            /* Without a session the worker sends what it fetched before, and what became of that it cannot know. */
            sent_too_early = sent_too_early || (session && row[k] == WAITING)
        :: else
        fi;
        if
#ifndef BROKEN_NO_WAVES
        :: outcome[k] == IN_FLIGHT -> held_back = held_back | AGGREGATE(k)
#endif
        :: outcome[k] == REFUSED -> held_back = held_back | AGGREGATE(k)
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0;
    held_back = 0
}

/* An unroutable message is returned, and confirmed all the same. */
inline refuse(e) {
#ifdef BROKEN_RETURN_IGNORED
    outcome[e] = CONFIRMED;
#else
    outcome[e] = REFUSED;
#endif
    printf("worker %d: %d refused\n", _pid, e)
}

inline lose(e) {
#ifdef BROKEN_UNKNOWN_TAKEN_FOR_CONFIRMED
    outcome[e] = CONFIRMED;
#else
    outcome[e] = UNKNOWN;
#endif
    in_limbo[e] = !delivered[e];
    printf("worker %d: %d unknown\n", _pid, e)
}

/* The verdicts of a wave are awaited together, so they are one step; when the connection is lost, some may be in. */
inline await_verdicts(connection_lost) {
    e = 1;
    do
    :: e <= EVENTS ->
        if
        :: outcome[e] == IN_FLIGHT -> outcome[e] = CONFIRMED; printf("worker %d: %d confirmed\n", _pid, e); deliver(e)
        :: outcome[e] == IN_FLIGHT && refusals > 0 -> refusals--; refuse(e)
        :: outcome[e] == IN_FLIGHT && connection_lost -> lose(e)
        :: outcome[e] != IN_FLIGHT
        fi;
        e++
    :: else -> break
    od;
    e = 0;
    in_flight = 0
}

/* What is in flight when the process dies may have been taken or not. */
inline die() {
    k = 1;
    do
    :: k <= EVENTS -> in_limbo[k] = in_limbo[k] || (outcome[k] == IN_FLIGHT && !delivered[k]); k++
    :: else -> break
    od;
    k = 0;
    in_flight = 0
}

/* Settlement.settle. Nobody sees the UPDATEs before the commit, so both are one step. */
inline settle() {
    k = 1;
    do
    :: k <= EVENTS ->
        if
        :: outcome[k] == CONFIRMED ->
            marked_undelivered = marked_undelivered || !delivered[k];
            row[k] = PROCESSED
        :: outcome[k] == REFUSED ->
            attempts[k]++;
            row[k] = (attempts[k] == MAX_ATTEMPTS -> DEAD : WAITING)
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0
}

inline release_rows() {
    k = 1;
    do
    :: k <= EVENTS -> row_locked[k] = row_locked[k] && outcome[k] == NOT_TAKEN; k++
    :: else -> break
    od;
    k = 0
}

inline release_slots() {
    do
    :: k < SLOTS -> slot_holder[k] = (slot_holder[k] == _pid -> NOBODY : slot_holder[k]); k++
    :: else -> break
    od;
    k = 0
}

inline forget_batch() {
    k = 1;
    do
    :: k <= EVENTS -> outcome[k] = NOT_TAKEN; k++
    :: else -> break
    od;
    k = 0
}

#if defined(BROKEN_NO_SLOT_LOCKS) || defined(NO_SLOT_LOCKS)
#define FREE(s) true
#else
#define FREE(s) (slot_holder[s] == NOBODY)
#endif
#define TRY_SLOT(s) :: (busy & (1 << s)) && FREE(s) -> slot_holder[s] = _pid; slots = slots | (1 << s); \
        printf("worker %d: locks slot %d\n", _pid, s)

#define BEFORE(k, e) (k < e && aggregate_of[k] == aggregate_of[e] && HOLDS_BACK(row[k]))
#define SENDABLE(e)  (row[e] == PENDING && !BEFORE(1, e) && !BEFORE(2, e))

/*
 * A poll that finds nothing, or only slots that others hold, or only rows that a foreign session holds, changes
 * nothing. Such polls are left out: the worker waits for what will make its poll succeed. So every run of this model
 * ends, and "in the end" means: when it has ended.
 */
proctype worker() {
    mtype:state seen[EVENTS + 1] = ABSENT;
    mtype:verdict outcome[EVENTS + 1] = NOT_TAKEN;
    byte busy, slots, held_back, taken, in_flight, e, k;
    bool session, missing;

end_idle:
    atomic {
        SENDABLE(1) || SENDABLE(2) || SENDABLE(3) ->
        printf("worker %d: begins\n", _pid);
        session = true;
        d_step {
            take_snapshot();
            find_busy_slots();
#ifndef FETCH_IN_THE_LOCKS_SNAPSHOT
            forget_snapshot()
#endif
        }
    };

    /* The same statement still, whatever was committed since it began. */
    atomic {
        if
        TRY_SLOT(0)
        TRY_SLOT(1)
        fi;
        if
        TRY_SLOT(0)
        TRY_SLOT(1)
        :: true
        fi;
        busy = 0
    };

    d_step {
#ifndef FETCH_IN_THE_LOCKS_SNAPSHOT
        take_snapshot();
#endif
        read_candidates();
        forget_snapshot()
    };
#ifndef FETCH_IN_THE_LOCKS_SNAPSHOT
    d_step { claim(); printf("worker %d: claims %d rows\n", _pid, taken) };
    if
    :: taken > 0 -> taken = 0; goto wave
    :: taken == 0
    fi;
    d_step { take_snapshot(); read_candidates(); forget_snapshot() };
#endif
    d_step { lock_rows(); printf("worker %d: has locked %d rows\n", _pid, taken) };
    if
    :: taken == 0 -> foreign_row == 0; goto ended
    :: taken > 0 -> taken = 0
    fi;

wave:
    atomic {
        d_step { send_wave() };
#ifndef NO_SLOT_LOCKS
        assert(!sent_too_early);
#endif
        if
        :: in_flight == 0 -> goto settling
        :: else
        fi
    };

    /*
     * A death anywhere else is the same as one here: before the send it is one whose copies never arrive, and after the
     * verdicts it is one whose copies arrive at once.
     */
awaiting:
    if
    :: atomic { await_verdicts(false); goto wave }
    :: atomic { outages > 0 -> outages--; await_verdicts(true); goto settling }
    :: atomic { faults > 0 -> faults--; printf("worker %d: dies\n", _pid); d_step { die() }; goto ended }
    /* The database ends the session, and the worker does not know before its next statement: it goes on sending. */
    :: atomic { faults > 0 && session -> faults--; printf("worker %d: loses its session\n", _pid); session = false;
        d_step { release_rows(); release_slots() }; goto awaiting }
    fi;

    /* A commit shows the marks and frees the rows at once, and the advisory locks after that, as PostgreSQL does. */
settling:
#ifdef BROKEN_SLOTS_RELEASED_BEFORE_COMMIT
    atomic { d_step { release_slots() } };
#endif
    atomic {
        if
        :: session -> printf("worker %d: commits\n", _pid); d_step { settle() }; assert(!marked_undelivered)
        :: else
        fi;
ended:
        if
        :: session -> d_step { release_rows() }
        :: else
        fi;
        d_step { forget_batch() }
    };
    d_step { release_slots(); session = false; slots = 0 };
    goto end_idle
}

/*
 * All has happened that may happen, and nobody can do anything more: only what is behind a dead one under HOLD is left.
 */
#define BEHIND_DEAD(k, e) (BEFORE(k, e) && row[k] == DEAD)
#define LEFT(e) \
    left_behind = left_behind || row[e] == WAITING || \
        (row[e] == PENDING && !BEHIND_DEAD(1, e) && !BEHIND_DEAD(2, e));
proctype the_end() {
    timeout ->
    d_step { EACH_EVENT(LEFT) };
    assert(!left_behind)
}

init {
    atomic {
        /* Two aggregates may share a slot. */
        if
        :: slot_of[1] = 0
        :: slot_of[1] = 1
        fi;
        run worker();
        run worker();
        run writer(0);
        run writer(0);
        run writer(1);
        run clock();
        run limbo();
        run foreign_session();
        run the_end()
    }
}
