-- Typed Outbox, from a plain outbox table, 3 of 3: moves what is still to be sent to the new table, below whatever was
-- written since the switch, and in the plain table's order. What was written again since, under the same id, is there
-- already, and the older one goes. Writers do not wait. All or nothing, and harmless when run again.
--
-- One more setting: typed_outbox.given_up_attempts, the number of attempts at which the relay before gave an event up. Such
-- events become dead letters. Unless it is set, all pending events are to be sent.

begin;

-- Rows that policies hide would be left behind: rather fail.
set local row_security = off;

do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
  given_up     bigint := nullif(current_setting('typed_outbox.given_up_attempts', true), '')::bigint;
  plain        text := format('%I.%I', plain_schema || '_plain', plain_table);
  outbox       text := format('%I.outbox_events', current_schema());
  reserved     constant bigint := 1000000000;
  first_new    bigint;
  lowest       bigint;
  first_free   bigint;
  early        bigint;
  moved        bigint;
  dead         bigint;
  taken        bigint;
  gave_way     bigint;
  left_behind  bigint;
begin
  if given_up < 1 then
    raise exception 'typed_outbox.given_up_attempts must be a whole number from 1 to 999999999 (was %)', given_up;
  end if;
  if to_regclass(plain) is null or to_regclass(outbox) is null then
    raise exception 'plain table % must have been switched off (was not)', plain
      using hint = 'Run 1-set-aside.sql and 2-switch.sql before.';
  end if;

  -- Among the numbers that were kept free, above those that were used by a copy before this one.
  select seqstart into first_new from pg_sequence where seqrelid = pg_get_serial_sequence(outbox, 'seq')::regclass;
  lowest := first_new - reserved;
  execute format('select coalesce(max(seq) + 1, $1) from %s where seq >= $1 and seq < $2', outbox)
    into first_free using lowest, first_new;

  -- Events of one transaction have the same created_at. Time-ordered ids tell their order, others do not: then it is the
  -- place in the table, which is the order of the inserts until a row is updated.
  execute format(
    $move$
      with old_event as (
        delete from %s old where processed_at is null
        returning ctid as place, *, exists (select from %s newer where newer.id = old.id) as is_there
      ),
      new_event as (
        insert into %s (id, seq, aggregate_type, aggregate_id, event_type, payload, created_at, attempts, dead_at, last_error)
          overriding system value
        select id, $1 - 1 + row_number() over (order by created_at, case when substr(id::text, 15, 1) = '7' then id end, place),
          aggregate_type::text, aggregate_id::text, event_type::text, payload::jsonb, created_at,
          case when attempts >= $2 then attempts else 0 end,
          case when attempts >= $2 then now() end,
          case when attempts >= $2 then 'given up by the relay before' end
        from old_event
        where not is_there
        returning dead_at
      )
      select (select count(*) from old_event), (select count(*) from old_event where is_there), count(*), count(dead_at)
      from new_event
    $move$, plain, outbox, outbox) into taken, gave_way, moved, dead using first_free, given_up;

  -- Triggers can keep rows where they are, or lose them.
  if moved <> taken - gave_way then
    raise exception 'table % must take all pending events (took % of %)', outbox, moved, taken - gave_way;
  end if;
  execute format('select count(*) from %s where processed_at is null', plain) into left_behind;
  if left_behind > 0 then
    raise exception 'plain table % must let all pending events go (kept %)', plain, left_behind
      using hint = 'A trigger keeps them, or somebody still writes to it: end that, and run this file again.';
  end if;

  raise notice '% pending events moved, % of them as dead letters', moved, dead;
  if gave_way > 0 then
    raise notice '% pending events gave way to those that were written again under their ids', gave_way;
  end if;

  execute format('select count(*) from %s where seq >= $1 and processed_at is not null', outbox)
    into early using first_new;
  if moved > 0 and early > 0 then
    raise warning 'a relay has published % events before the older ones were there', early
      using hint = 'Start the relays anew: those that run may take a minute to find the events that were moved.';
  end if;
end
$$;

commit;
