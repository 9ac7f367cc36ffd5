package dev.typedoutbox.relay;

import dev.typedoutbox.relay.GivingUp.Loss;
import dev.typedoutbox.store.AggregateKey;
import dev.typedoutbox.store.BatchBounds;
import dev.typedoutbox.store.Candidate;
import dev.typedoutbox.store.OutboxStore;
import dev.typedoutbox.store.PendingEvent;
import dev.typedoutbox.store.Slots;
import dev.typedoutbox.store.UnreadEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** Takes what one batch publishes: locks slots, then rows in them, within the bounds of rows and bytes. */
final class Fetch {
    /** A quarter of all slots: several workers and relays find some at once, and waves are still wide. */
    private static final int SLOTS_PER_BATCH = Slots.COUNT / 4;

    /** How far to look behind rows that a foreign session holds, in all slots of a batch together. */
    private static final int BEHIND_HELD_ROWS = 20_000;

    private final OutboxStore store;
    private final RelayConfig config;
    private final DSLContext tx;
    private final RelayLog log;
    private final GivingUp givingUp;
    private final Set<AggregateKey> held = new HashSet<>();

    Fetch(OutboxStore store, RelayConfig config, DSLContext tx, RelayLog log) {
        this.store = store;
        this.config = config;
        this.tx = tx;
        this.log = log;
        this.givingUp = new GivingUp(store, tx);
    }

    /** Slots may hold nothing but events that must wait, so others are looked at before a batch is found to be empty. */
    List<PendingEvent> events(Slots slots) {
        List<PendingEvent> events = List.of();
        Slots left = slots;
        while (events.isEmpty() && !left.isEmpty()) {
            List<Short> locked = store.lockSlots(tx, left, SLOTS_PER_BATCH);
            if (locked.isEmpty()) {
                return List.of();
            }
            events = eventsIn(left.only(locked));
            left = left.without(locked);
        }
        return events;
    }

    private List<PendingEvent> eventsIn(Slots slots) {
        BatchBounds bounds = new BatchBounds(config.batchSize(), config.maxBatchBytes(), config.maxPayloadBytes());
        return store.claim(tx, slots, bounds).orElseGet(() -> pickedEventsIn(slots));
    }

    /** The longer way, which finds out about each row why it cannot be had. */
    private List<PendingEvent> pickedEventsIn(Slots slots) {
        List<PendingEvent> events = lock(store.candidates(tx, slots, config.batchSize()));
        // Where a foreign lock holds all of them, those of other aggregates behind them must not wait for it too.
        return events.isEmpty() && !held.isEmpty() ? lock(store.candidates(tx, slots, BEHIND_HELD_ROWS)) : events;
    }

    /** Whether rows were passed over that another session holds. */
    boolean foundHeldRows() {
        return !held.isEmpty();
    }

    private List<PendingEvent> lock(List<Candidate> candidates) {
        List<Candidate> free = candidates.stream()
                .filter(candidate -> !held.contains(candidate.aggregate()))
                .limit(config.batchSize())
                .toList();
        List<Candidate> fitting = withinBytes(withoutGiants(free));
        List<UUID> ids = fitting.stream().map(Candidate::id).toList();
        return ids.isEmpty() ? List.of() : withoutGaps(fitting, store.lockEvents(tx, ids, this::giveUpUnreadable));
    }

    /** Whether rows were given up; others do not see that before the commit. */
    boolean hasWritten() {
        return givingUp.dead() > 0;
    }

    /** How many rows have become dead letters unread. */
    int givenUp() {
        return givingUp.dead();
    }

    /** How many rows should have become dead letters unread, and stay as they are. */
    int unchanged() {
        return givingUp.unchanged();
    }

    /** Payloads that no memory is promised for are given up unread, and their aggregates left alone in this batch. */
    private List<Candidate> withoutGiants(List<Candidate> candidates) {
        List<Candidate> giants = candidates.stream()
                .filter(candidate -> candidate.bytes() > config.maxPayloadBytes())
                .toList();
        if (giants.isEmpty()) {
            return candidates;
        }
        Map<UUID, UnreadEvent> locked = store
                .lockUnread(tx, giants.stream().map(Candidate::id).toList())
                .stream()
                .collect(Collectors.toMap(UnreadEvent::id, Function.identity()));
        List<Loss> losses = new ArrayList<>();
        for (Candidate giant : giants) {
            UnreadEvent event = locked.get(giant.id());
            if (event == null) {
                held.add(giant.aggregate());
            } else {
                losses.add(tooLarge(event, giant.bytes()));
            }
        }
        held.addAll(givingUp.giveUp(losses));
        Set<AggregateKey> left = giants.stream().map(Candidate::aggregate).collect(Collectors.toSet());
        return candidates.stream()
                .filter(candidate -> !left.contains(candidate.aggregate()))
                .toList();
    }

    private void giveUpUnreadable(UnreadEvent event, RuntimeException cause) {
        String reason = "the row could not be read: " + cause;
        held.addAll(givingUp.giveUp(List.of(new Loss(event, reason, () -> log.unreadable(event, reason)))));
    }

    private Loss tooLarge(UnreadEvent giant, int bytes) {
        String reason = "payload and headers must be at most " + config.maxPayloadBytes() + " bytes (was " + bytes
                + "): raise maxPayloadBytes and retry it";
        return new Loss(giant, reason, () -> log.unsent(giant, reason));
    }

    private List<Candidate> withinBytes(List<Candidate> candidates) {
        long bytes = 0;
        for (int i = 0; i < candidates.size(); i++) {
            bytes += candidates.get(i).bytes();
            if (bytes > config.maxBatchBytes()) {
                return candidates.subList(0, Math.max(1, i));
            }
        }
        return candidates;
    }

    /** A row that another session has locked was passed over; the later ones of its aggregate must wait for it. */
    private List<PendingEvent> withoutGaps(List<Candidate> candidates, List<PendingEvent> locked) {
        if (locked.size() == candidates.size()) {
            return locked;
        }
        Map<UUID, PendingEvent> byId =
                locked.stream().collect(Collectors.toMap(event -> event.event().id(), Function.identity()));
        List<PendingEvent> free = new ArrayList<>();
        for (Candidate candidate : candidates) {
            PendingEvent event = byId.get(candidate.id());
            if (event == null) {
                held.add(candidate.aggregate());
            } else if (!config.ordered() || !held.contains(candidate.aggregate())) {
                free.add(event);
            }
        }
        return free;
    }
}
