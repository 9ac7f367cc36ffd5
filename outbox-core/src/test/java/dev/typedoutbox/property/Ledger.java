package dev.typedoutbox.property;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.property.Entry.Stage;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * An account, kept apart from the product, of what was written, sent, answered and settled. It never looks at the outbox's
 * rows; {@link Audit} holds them against it. Safe for use by several threads.
 */
final class Ledger {
    private final Setup setup;
    private final Rules rules;
    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Map<String, List<Entry>> aggregates = new HashMap<>();
    private final Set<Sending> underWay = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private long clock;

    Ledger(Setup setup) {
        this.setup = setup;
        this.rules = new Rules(setup);
    }

    synchronized void written(UUID id, String aggregate) {
        List<Entry> before = aggregates.computeIfAbsent(aggregate, key -> new ArrayList<>());
        Entry entry = new Entry(id, aggregate, List.copyOf(before));
        before.add(entry);
        entries.put(id, entry);
    }

    /** To be called before the commit: a relay may be quicker than the writer's thread. */
    synchronized void committing(Collection<UUID> ids) {
        ids.forEach(id -> entry(id).stage = Stage.COMMITTED);
    }

    synchronized void rolledBack(Collection<UUID> ids) {
        ids.forEach(id -> entry(id).stage = Stage.ROLLED_BACK);
    }

    synchronized Sending begin(int relay) {
        Sending sending = new Sending(relay, ++clock);
        underWay.add(sending);
        return sending;
    }

    /** A wave leaves; all of it is in flight together. */
    synchronized void sends(Sending sending, List<OutboxEvent> wave) {
        sending.publishing = true;
        for (OutboxEvent event : wave) {
            Entry entry = entries.get(event.id());
            if (entry == null) {
                violated("an event that nobody wrote was sent: " + event);
                continue;
            }
            rules.violation(sending, entry, underWay)
                    .ifPresent(rule -> violated("relay " + sending.relay + " sent " + entry + ": " + rule));
            sending.sent.add(entry);
        }
    }

    synchronized void arrived(OutboxEvent event) {
        entry(event.id()).arrived = true;
    }

    synchronized void sessionEnds(Sending sending) {
        sending.sessionEnded = true;
    }

    /** The verdicts of a wave are handed to the relay. */
    synchronized void answered(Sending sending, List<OutboxEvent> wave, List<PublishOutcome> outcomes) {
        sending.publishing = false;
        for (int i = 0; i < wave.size(); i++) {
            Entry entry = entry(wave.get(i).id());
            switch (outcomes.get(i).kind()) {
                case CONFIRMED -> {
                    entry.confirmed = true;
                    sending.confirmed.add(entry);
                }
                case REFUSED -> {
                    entry.refusalsUnderWay++;
                    sending.refused.add(entry);
                }
                case UNKNOWN -> sending.unknown++;
            }
        }
    }

    synchronized void committed(Sending sending, BatchResult result) {
        underWay.remove(sending);
        sending.confirmed.forEach(entry -> entry.marked = true);
        int deadBefore = dead().size();
        sending.refused.forEach(this::settleRefusal);
        BatchResult expected = new BatchResult(
                result.fetched(),
                sending.confirmed.size(),
                sending.refused.size(),
                dead().size() - deadBefore,
                sending.unknown);
        if (!result.equals(expected)) {
            violated("relay " + sending.relay + " reported " + result + " instead of " + expected);
        }
    }

    synchronized void failed(Sending sending, Exception reason) {
        underWay.remove(sending);
        sending.refused.forEach(entry -> entry.refusalsUnderWay--);
        if (!sending.sessionEnded) {
            violated("relay " + sending.relay + " failed: " + reason);
        }
    }

    synchronized void timePassed() {
        entries.values().forEach(entry -> entry.waiting = false);
    }

    synchronized List<Entry> dead() {
        return entries.values().stream().filter(entry -> entry.dead).toList();
    }

    synchronized void retried(Entry entry) {
        entry.dead = false;
        entry.attempts = 0;
        entry.revived = ++clock;
    }

    synchronized void discarded(Entry entry) {
        entry.dead = false;
        entry.stage = Stage.DISCARDED;
    }

    synchronized List<Entry> committed() {
        return entries.values().stream().filter(Entry::isCommitted).toList();
    }

    /** What an operator gave up; it counts as processed, though no relay has settled it. */
    synchronized List<Entry> discarded() {
        return entries.values().stream()
                .filter(entry -> entry.stage == Stage.DISCARDED)
                .toList();
    }

    synchronized void violated(String rule) {
        violations.add(rule);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    private void settleRefusal(Entry entry) {
        entry.refusalsUnderWay--;
        entry.attempts++;
        entry.dead = entry.attempts >= setup.maxAttempts();
        entry.waiting = !entry.dead && setup.slowRetry();
    }

    private Entry entry(UUID id) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalArgumentException("no event has the id " + id);
        }
        return entry;
    }
}
