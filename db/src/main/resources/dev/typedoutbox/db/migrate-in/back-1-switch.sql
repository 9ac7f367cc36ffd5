-- Typed Outbox, back to a plain outbox table, 1 of 2: the writers go on with the plain table. For when no relay of Typed
-- Outbox runs any more; the settings are those of 1-set-aside.sql. docs/migrating-in.md has the steps.

-- What was committed until the lock was had must be seen after it.
begin isolation level read committed;

set local lock_timeout = '2s';

-- Rows that policies hide would be left behind: rather fail.
set local row_security = off;

do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
  place        text := format('%I.%I', plain_schema, plain_table);
  outbox       text := format('%I.%I', current_schema(), 'outbox_events');
  plain        regclass := to_regclass(format('%I.%I', plain_schema || '_plain', plain_table));
  unfit        text;
  wrong        text;
  misfits      bigint;
  example      text;
begin
  if plain is null then
    raise exception 'plain table % must have been set aside (was not)', place;
  end if;

  -- As on the way in: triggers could keep events, or lose them.
  select string_agg(format('%s of %s', tgname, tgrelid::regclass), ', ' order by tgname) into wrong
  from pg_trigger
  where not tgisinternal and tgenabled <> 'D' and tgtype & 2 > 0
    and (tgrelid = plain and tgtype & 4 > 0 or tgrelid = to_regclass(outbox) and tgtype & 8 > 0);
  if wrong is not null then
    raise exception 'plain table % must have no trigger before insert, and % none before delete (was %)', plain, outbox, wrong
      using hint = 'Drop it, and make it again when the files have run.';
  end if;

  -- These would go on with the table that is set aside. The outbox's own views may.
  select string_agg(distinct pg_describe_object(classid, objid, objsubid), ', ') into wrong
  from pg_depend
    join pg_class typed on typed.oid = to_regclass(outbox)
    join pg_type of_row on of_row.oid = reltype
    left join pg_policy on classid = 'pg_policy'::regclass and pg_policy.oid = objid
    left join pg_rewrite on classid = 'pg_rewrite'::regclass and pg_rewrite.oid = objid
  where deptype in ('n', 'a') and (
      refclassid = 'pg_class'::regclass and refobjid = typed.oid
        and (classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass) or polrelid <> typed.oid)
      or refclassid = 'pg_type'::regclass and refobjid in (of_row.oid, typarray))
    and coalesce(ev_class, 0) is distinct from to_regclass(format('%I.outbox_dead_letters', current_schema()))::oid
    and coalesce(ev_class, 0) is distinct from case when place <> outbox then to_regclass(place)::oid end;
  if wrong is not null then
    raise exception 'table % must have no rule, and nothing like a view, function or policy that is bound to it (was %)',
      outbox, wrong
      using hint = 'Drop them, and make them again when the files have run.';
  end if;

  -- Strings are cut by a cast and by some assignments, and are compared therefore; other types take a value or raise.
  select string_agg(format(
      case
        when typname = 'bpchar' then '%1$I::%2$s::text is distinct from rtrim(%1$I, '' '')'
        when typcategory in ('S', 'Z') then '%1$I::%2$s::text is distinct from %1$I'
        else '(%1$I is not null and %1$I::%2$s is null)'
      end, attname, format_type(atttypid, atttypmod)), ' or ') into unfit
  from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = plain and attnum > 0 and not attisdropped;

  -- Before the lock, and again for what was written until it was had.
  for locked in 0..1 loop
    if locked = 1 then
      -- The view before its table, as those lock them who write through it.
      if place <> outbox then
        execute format('drop view if exists %s', place);
      end if;
      execute format('lock table %s in access exclusive mode', outbox);
    end if;

    begin
      execute format('select count(*), min(id::text) from %s where processed_at is null and (%s)', outbox, unfit)
        into misfits, example;
    exception when data_exception or integrity_constraint_violation then
      raise exception 'pending events of % must fit into the columns of plain table % (was otherwise: %)',
        outbox, place, sqlerrm;
    end;
    if misfits > 0 then
      raise exception 'pending events of % must fit into the columns of plain table % (was otherwise in %, such as %)',
        outbox, place, misfits, example
        using hint = 'Make the columns of the plain table as long as those of the outbox.';
    end if;
  end loop;

  execute format('create schema if not exists %I', current_schema() || '_typed');
  execute format('alter table %s set schema %I', outbox, current_schema() || '_typed');
  execute format('alter table %s set schema %I', plain, plain_schema);
end
$$;

commit;
