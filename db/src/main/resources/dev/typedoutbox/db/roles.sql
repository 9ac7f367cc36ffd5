-- Typed Outbox: roles with the least rights that work. Run it after the migrations, with the same search path, as the owner
-- of the tables who may also create roles; again after each update, and as often as you like.
--
-- The roles cannot log in. Grant them to those that do, such as
--   grant outbox_writer, outbox_consumer to shop;
--   grant outbox_relay to shop_relay;
-- Roles are known to all databases of a server, their rights to this one alone.
--
-- OutboxSchema.validate needs no right but to connect; OutboxSchema.migrate has to be the owner.

do
$$
declare
  new_role text;
begin
  foreach new_role in array array ['outbox_writer', 'outbox_relay', 'outbox_consumer', 'outbox_admin'] loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = new_role) then
        execute format('create role %I', new_role);
      end if;
    exception
      -- Somebody else has just done so.
      when duplicate_object or unique_violation then null;
    end;
    execute format('grant usage on schema %I to %I', current_schema(), new_role);
  end loop;
end
$$;

-- Writes events: Outbox.publish, or SQL. Can read none, since they may be another service's, and cannot write one that
-- counts as sent already, or as dead. The trigger that wakes a relay needs no right: it only notifies and tries a lock.
grant insert (id, aggregate_type, aggregate_id, event_type, payload, headers) on outbox_events to outbox_writer;

-- Runs a relay: Relay. Reads and locks events, which takes the right to update some column, and settles them. Delete is for
-- PublishedRows.DELETE alone; take it back where rows are kept.
grant select, update (attempts, retry_after, processed_at, dead_at, last_error), delete on outbox_events to outbox_relay;

-- The relay reads how far the numbers were drawn, which keeps its pace while old transactions are open; it draws none.
do
$$
begin
  execute format('grant select on sequence %s to outbox_relay', pg_get_serial_sequence('outbox_events', 'seq'));
end
$$;

-- Applies events: IdempotentConsumer, and the purge of its records, ProcessedEvents and Cleanup. The purge locks rows, which
-- takes the right to update some column. A handler that publishes events needs outbox_writer, too.
grant select, insert, delete, update (processed_at) on processed_events to outbox_consumer;

-- Operates the outbox: DeadLetters, OutboxStatus, PublishedEvents, ProcessedEvents, Cleanup. Cannot write events or change
-- what they say; can have one sent again, or not sent.
grant select, update (attempts, retry_after, processed_at, dead_at, last_error), delete on outbox_events to outbox_admin;
grant select on outbox_dead_letters to outbox_admin;
grant select, delete, update (processed_at) on processed_events to outbox_admin;

-- Without it, PostgreSQL hides from the status where a relay of another role has its session, and since when.
do
$$
begin
  grant pg_read_all_stats to outbox_admin;
exception
  when insufficient_privilege then
    raise notice 'outbox_admin was not granted pg_read_all_stats: have a superuser do so';
end
$$;
