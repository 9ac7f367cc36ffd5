/*
 * The wake-up gate: the writers' trigger notifies only while a relay sleeps, and yet no relay sleeps over an event for
 * good.
 *
 * Three writers' transactions of one event each, and one or two relays. A batch is one event here. README.md tells the
 * rest.
 */

/*
 * FALLBACK_POLL: a relay polls now and then for as long as it sleeps. Without it the follow-up polls have to go on
 * until the writers who probed before it slept have ended; with FOLLOW_UP_POLLS_BY_TIME they may end before.
 */
#ifdef BROKEN_NO_FALLBACK_POLL
#define FOLLOW_UP_POLLS_BY_TIME
#endif
#ifdef BROKEN_NO_FALLBACK_POLL_OF_TWO
#define RELAYS 2
#define DEATHS 1
#endif

#ifndef RELAYS
#define RELAYS 1
#endif
#define WRITERS 3

/* How often, in one run, something may go wrong. */
#ifndef LOSSES
#define LOSSES 0            /* the listening session of a sleeping relay ends; the relay finds out in time */
#endif
#ifndef DEATHS
#define DEATHS 0            /* a relay dies in the middle of a batch; the first is started again, another is not */
#endif

#define EACH_WRITER(option) option(0) option(1) option(2)
#define NOBODY 255

mtype:state = { ABSENT, UNCOMMITTED, PENDING, IN_BATCH, PUBLISHED }
mtype:state row[WRITERS] = ABSENT;

/* The advisory lock: a sleeping relay's listening session has it exclusively, a probing writer shared for a moment. */
byte gate_holder = NOBODY;
byte probing;
bool listening[RELAYS];
bool notified[RELAYS];

byte awaited[RELAYS];       /* who was in progress when the relay fell asleep; each leaves when it ends */
byte losses = LOSSES;
byte deaths = DEATHS;

bool asleep_for_good;       /* the property, a variable so that the checker's message names it */

#define IS_PENDING(w) || row[w] == PENDING
#define SOMETHING_PENDING (false EACH_WRITER(IS_PENDING))

proctype writer(byte w) {
    bool notify;
    byte r;
    row[w] = UNCOMMITTED;

    /* The trigger: a shared try-lock, given back at once. It fails while a relay has the lock. */
    atomic {
        if
        :: gate_holder == NOBODY -> probing++; printf("writer %d: probes and will be silent\n", w)
        :: else -> notify = true; printf("writer %d: probes and will notify\n", w); goto probed
        fi
    };
    probing--;
probed:
    atomic {
        if
        :: row[w] = PENDING; printf("writer %d: commits\n", w)
        :: row[w] = ABSENT; notify = false; printf("writer %d: rolls back\n", w)
        fi;
        r = 0;
        do
        :: r < RELAYS -> awaited[r] = awaited[r] & ~(1 << w); r++
        :: else -> break
        od
    };
    /* Listeners get the notification after the commit. */
    d_step {
        r = 0;
        do
        :: r < RELAYS -> notified[r] = notified[r] || (notify && listening[r]); r++
        :: else -> break
        od
    }
}

#define IN_PROGRESS(w) awaited[r] = awaited[r] | ((row[w] == UNCOMMITTED) << w);
#define FETCH(w) \
    :: atomic { row[w] == PENDING -> row[w] = IN_BATCH; event = w; printf("relay %d: fetches %d\n", r, w); goto batch }

inline take_gate() {
    gate_holder == NOBODY && probing == 0 -> gate_holder = r; printf("relay %d: takes the gate\n", r)
}

inline leave_gate() {
    gate_holder = (gate_holder == r -> NOBODY : gate_holder)
}

inline lose_session() {
    leave_gate();
    listening[r] = false;
    notified[r] = false
}

/* A poll that finds nothing changes nothing, and is left out where it may come any number of times. */
proctype relay(byte r) {
    byte event;

connect:
#ifndef BROKEN_LISTEN_AFTER_THE_LAST_POLL
    atomic { listening[r] = true; printf("relay %d: listens\n", r) };
#endif

awake:
    if
    EACH_WRITER(FETCH)
    :: atomic { !SOMETHING_PENDING -> printf("relay %d: polls and finds nothing\n", r) }; goto falling_asleep
    fi;
batch:
    if
    :: atomic { row[event] = PUBLISHED; printf("relay %d: publishes %d\n", r, event); event = 0; goto awake }
    :: atomic { deaths > 0 -> deaths--; row[event] = PENDING; event = 0; lose_session();
        printf("relay %d: dies in a batch\n", r); goto dead }
    fi;

falling_asleep:
    if
    :: atomic { take_gate() }
    :: atomic { gate_holder != NOBODY || probing > 0 -> printf("relay %d: sleeps without the gate\n", r);
        goto end_without_gate }
    fi;

    /*
     * Asleep, as the writers see it. Those who probed before will be silent, so it polls at once, and again until they
     * have ended: the last of these polls comes after that.
     */
asleep:
    skip;
#ifndef BROKEN_NO_POLL_AFTER_FALLING_ASLEEP
    d_step { EACH_WRITER(IN_PROGRESS) };
    if
    :: SOMETHING_PENDING -> goto wake
    :: notified[r] -> goto wake
    :: atomic { losses > 0 -> losses--; lose_session(); printf("relay %d: loses its session\n", r); goto deaf }
#ifdef FOLLOW_UP_POLLS_BY_TIME
    :: atomic { !SOMETHING_PENDING -> printf("relay %d: ends its follow-up polls\n", r) }
#else
    :: atomic { !SOMETHING_PENDING && awaited[r] == 0 -> printf("relay %d: ends its follow-up polls\n", r) }
#endif
    fi;
#endif

#ifdef BROKEN_NOTIFICATIONS_DROPPED_AFTER_THE_LAST_POLL
    d_step { notified[r] = false; printf("relay %d: drops what notifications have come\n", r) };
#endif
#ifdef BROKEN_LISTEN_AFTER_THE_LAST_POLL
    atomic { listening[r] = true; printf("relay %d: listens\n", r) };
#endif

end_asleep:
    if
    :: notified[r] -> goto wake
#ifdef FALLBACK_POLL
    :: SOMETHING_PENDING -> goto wake
#endif
    :: atomic { losses > 0 -> losses--; lose_session(); printf("relay %d: loses its session\n", r); goto deaf }
    fi;

    /*
     * A writer has the gate for a moment, or another relay sleeps and has the writers notify all that listen. So it tries
     * for the gate again. Its follow-up polls are left out, since they end by the clock.
     */
end_without_gate:
    if
#ifdef BROKEN_NO_POLL_AFTER_A_LATE_GATE
    :: atomic { take_gate(); goto end_asleep }
#elif !defined(BROKEN_SLEEPS_WITHOUT_THE_GATE)
    :: atomic { take_gate(); goto asleep }
#endif
    :: notified[r] -> goto wake
#ifdef FALLBACK_POLL
    :: SOMETHING_PENDING -> goto wake
#endif
    :: atomic { losses > 0 -> losses--; lose_session(); printf("relay %d: loses its session\n", r); goto deaf }
    fi;

wake:
    atomic { notified[r] = false; leave_gate(); goto awake };

    /* Until it finds out that its session is gone. */
deaf:
#ifdef BROKEN_NO_POLL_AFTER_LISTENING_AGAIN
    atomic { take_gate(); listening[r] = true; goto end_asleep };
#else
    goto connect;
#endif

    /* One relay is always started again. */
dead:
    if
    :: r == 0 -> goto connect
    :: r > 0
    fi
}

#define IS_UNPUBLISHED(w) || (row[w] != ABSENT && row[w] != PUBLISHED)
proctype the_end() {
    timeout ->
    asleep_for_good = (false EACH_WRITER(IS_UNPUBLISHED));
    assert(!asleep_for_good)
}

#define RUN_WRITER(w) run writer(w);
init {
    byte r;
    atomic {
        do
        :: r < RELAYS -> run relay(r); r++
        :: else -> break
        od;
        EACH_WRITER(RUN_WRITER)
        run the_end()
    }
}
