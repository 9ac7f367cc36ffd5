package dev.typedoutbox.metrics;

import dev.typedoutbox.relay.Relay;

/** A relay that runs, and the readings of its outbox's status. */
record RunningRelay(Relay relay, StatusReadings status) {}
