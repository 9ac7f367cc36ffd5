-- Typed Outbox, back to a plain outbox table, 2 of 2: moves what was not sent back to the plain table, dead letters too.
-- Attempts stay what they are; headers are lost. Writers do not wait. All or nothing, and harmless when run again.

begin;

-- Rows that policies hide would be left behind: rather fail.
set local row_security = off;

do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
  plain        text := format('%I.%I', plain_schema, plain_table);
  outbox       text := format('%I.outbox_events', current_schema() || '_typed');
  names        text;
  casts        text;
  taken        bigint;
  gave_way     bigint;
  moved        bigint;
  again        bigint;
  left_behind  bigint;
begin
  if to_regclass(plain) is null or to_regclass(outbox) is null then
    raise exception 'plain table % must have been switched on again (was not)', plain
      using hint = 'Run back-1-switch.sql before.';
  end if;

  -- A cast would cut strings to the column's length, where an assignment raises.
  select string_agg(attname, ', '), string_agg(format(
      case when typcategory = 'S' then '%1$I' else '%1$I::%2$s' end, attname, format_type(atttypid, atttypmod)), ', ')
  into names, casts
  from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = to_regclass(plain) and attnum > 0 and not attisdropped;

  execute format(
    $move$
      with new_event as (
        delete from %s typed
        where processed_at is null
          and not exists (select from %s sent where sent.id = typed.id and sent.processed_at is not null)
        returning *, exists (select from %s newer where newer.id = typed.id) as is_there
      ),
      old_event as (
        insert into %s (%s)
        select %s from new_event
        where not is_there
        order by seq
        returning 1
      )
      select (select count(*) from new_event), (select count(*) from new_event where is_there), count(*) from old_event
    $move$, outbox, plain, plain, plain, names, casts) into taken, gave_way, moved;

  -- Triggers can keep rows where they are, or lose them.
  if moved <> taken - gave_way then
    raise exception 'plain table % must take all pending events (took % of %)', plain, moved, taken - gave_way;
  end if;
  execute format(
    $left$
      select count(*), count(*) filter (where not exists (select from %s sent where sent.id = typed.id))
      from %s typed where processed_at is null
    $left$, plain, outbox) into again, left_behind;
  if left_behind > 0 then
    raise exception 'table % must let all pending events go (kept %)', outbox, left_behind
      using hint = 'A trigger keeps them, or somebody still writes to it: end that, and run this file again.';
  end if;

  raise notice '% pending events moved back', moved;
  if gave_way > 0 then
    raise notice '% pending events gave way to those that were written again under their ids', gave_way;
  end if;
  if again > 0 then
    raise warning '% pending events stay in %: plain table % has published events with the same ids', again, outbox, plain;
  end if;
end
$$;

commit;
