-- Typed Outbox, version 1. Runs unqualified: the tables land in the first schema of the search path.

create table outbox_events (
  id             uuid         not null default gen_random_uuid(),
  -- The relay's order. created_at is the start of the transaction, so two transactions on one aggregate can be stamped
  -- in the wrong order; a number drawn at the insert, while the writer holds the aggregate's row lock, cannot.
  seq            bigint       not null generated always as identity,
  -- The unit of ordered parallelism: one relay worker at a time publishes the events of a slot.
  slot           smallint     not null generated always as
    ((hashtextextended(aggregate_id, hashtextextended(aggregate_type, 0)) & 63)::smallint) stored,
  aggregate_type varchar(100) not null,
  aggregate_id   varchar(100) not null,
  event_type     varchar(100) not null,
  payload        jsonb        not null,
  headers        jsonb,
  attempts       integer      not null default 0,
  created_at     timestamptz  not null default now(),
  retry_after    timestamptz,
  processed_at   timestamptz,
  dead_at        timestamptz,
  last_error     text,
  -- What a relay reads into memory for this row, known without reading it.
  bytes          integer      not null generated always as
    (octet_length(payload::text) + coalesce(octet_length(headers::text), 0)) stored,

  constraint outbox_events_pkey primary key (id),
  constraint outbox_events_seq_positive check (seq > 0),
  constraint outbox_events_names_not_empty
    check (aggregate_type <> '' and aggregate_id <> '' and event_type <> ''),
  constraint outbox_events_headers_object check (jsonb_typeof(headers) = 'object'),
  constraint outbox_events_attempts_not_negative check (attempts >= 0),
  constraint outbox_events_processed_or_dead check (processed_at is null or dead_at is null),
  constraint outbox_events_waiting_or_dead check (retry_after is null or dead_at is null),
  -- Clients have no date for infinity, and a row that cannot be read would stop the relay.
  constraint outbox_events_times_finite check (isfinite(created_at) and isfinite(retry_after)),
  constraint outbox_events_last_error_bounded check (char_length(last_error) <= 2000)
);

-- Rows still to be sent, and no others: dead rows leave it too, or every poll would walk over them.
create index idx_outbox_unprocessed on outbox_events (slot, seq)
  where processed_at is null and dead_at is null;

-- Answers "does an earlier event of this aggregate wait for its retry?" No dead ones: all of an aggregate's would be walked.
create index idx_outbox_waiting on outbox_events (aggregate_type, aggregate_id, seq)
  where processed_at is null and retry_after is not null;

-- The same for "or for an operator?"
create index idx_outbox_dead_of_aggregate on outbox_events (aggregate_type, aggregate_id, seq)
  where dead_at is not null;

-- Those that failed before: they wait for their retry, or came back from the dead letters, below what relays look at.
create index idx_outbox_failed on outbox_events (slot, seq)
  where processed_at is null and dead_at is null and (last_error is not null or retry_after is not null);

-- The list of dead letters, in their order; what it can be asked for is in the index, so that others are not read for it.
create index idx_outbox_dead on outbox_events (seq, event_type, aggregate_type, aggregate_id, dead_at)
  where dead_at is not null;

-- None on processed_at for the purge: each mark would have to pay for it, and the purge can read the table instead.

create view outbox_dead_letters as
  select id, seq, aggregate_type, aggregate_id, event_type, payload, headers, attempts, created_at, dead_at, last_error
  from outbox_events
  where dead_at is not null;

-- One row for each event that a consumer has applied; two consumers in one database each get the event.
create table processed_events (
  consumer     varchar(100) not null,
  event_id     uuid         not null,
  processed_at timestamptz  not null default now(),

  constraint processed_events_pkey primary key (event_id, consumer),
  constraint processed_events_consumer_not_empty check (consumer <> '')
);

-- The purge of old records: it takes the oldest first, a bounded number at a time, and reads no young ones.
create index idx_processed_events_time on processed_events (processed_at);

-- A transaction with a pending NOTIFY takes a cluster-wide lock at its commit, so the trigger notifies only while a relay
-- sleeps: a sleeping relay holds advisory lock (oid of the table, 64) exclusively, and the shared try-lock then fails.
-- (The keys 0 to 63 are the slots; 65, with the oid of either table, is held by a cleanup at work on it; 66 is shared by
-- the relays that listen.)
-- No payload: an event's text can be longer than the 8,000 bytes that a notification may carry.
create function outbox_wake_relay() returns trigger
  language plpgsql as
$$
begin
  -- One expression, so that no time-out can strike between the lock and its release and leave it to the session.
  if not (pg_catalog.pg_try_advisory_lock_shared(tg_relid::int, 64)
      and pg_catalog.pg_advisory_unlock_shared(tg_relid::int, 64)) then
    perform pg_catalog.pg_notify('outbox_' || tg_relid, '');
  end if;
  return null;
end
$$;

create trigger outbox_wake_relay
  after insert on outbox_events
  for each statement execute function outbox_wake_relay();
