-- Typed Outbox, from a plain outbox table, 1 of 3: sets the plain table aside. docs/migrating-in.md has the steps.
--
-- Begins the transaction that 2-switch.sql ends: both are for one session, with the migrations between them if the tables
-- are not there yet. Settings, of the session:
--   typed_outbox.plain_table   the plain table's name, as the database spells it; outbox_events unless set
--   typed_outbox.plain_schema  where it is; the first schema of the search path, in which the outbox is, unless set
--   typed_outbox.given_up_attempts  is for 3-copy.sql, and looked at here lest that file refuses it after the switch

-- What was committed until the lock was had must be seen after it.
begin isolation level read committed;

-- Writers queue up behind a lock that is waited for: rather give up, and be run again.
set local lock_timeout = '2s';

-- Rows that policies hide would be left behind: rather fail.
set local row_security = off;

-- The table must be what writers and copy expect. Writers are not waited for, and do not wait, before the lock: it waits for
-- the transactions that have written to it. What they wrote is old, and is checked in turn; whatever comes later is new.
do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
  place        text := format('%I.%I', plain_schema, plain_table);
  expected     text := 'aggregate_id, aggregate_type, attempts, created_at, event_type, id, payload, processed_at';
  columns      text;
  payload      text;
  wrong        text;
  misfits      bigint;
  twins        bigint;
  example      text;
  given_up     text := coalesce(current_setting('typed_outbox.given_up_attempts', true), '');
begin
  if given_up !~ '^([1-9][0-9]{0,8})?$' then
    raise exception 'typed_outbox.given_up_attempts must be a whole number from 1 to 999999999 (was %)', given_up;
  end if;
  if current_schema() is null then
    raise exception 'search_path must begin with a schema that exists (was %)', current_setting('search_path');
  end if;
  if octet_length(plain_schema || '_plain') > 63 then
    raise exception 'schema of plain table % must have a name of at most 57 bytes, to which _plain is added', place;
  end if;
  if octet_length(current_schema() || '_typed') > 63 then
    raise exception 'schema % must have a name of at most 57 bytes, to which the way back adds _typed', current_schema();
  end if;

  if to_regclass(place) is null then
    raise exception 'plain table % must exist (was missing)', place
      using hint = 'Set typed_outbox.plain_schema and typed_outbox.plain_table.';
  end if;

  if not exists (select from pg_class where oid = to_regclass(place) and relkind = 'r' and not relispartition) then
    raise exception 'plain table % must be a table of its own (was a view, partitioned or a partition)', place;
  end if;

  select string_agg(attname, ', ' order by attname collate "C") into columns
  from pg_attribute where attrelid = to_regclass(place) and attnum > 0 and not attisdropped;
  if columns <> expected then
    raise exception 'plain table % must have the columns % and no others (was %)', place, expected, columns;
  end if;

  -- The writers' inserts will go to outbox_events as they are, so what they send must be taken there.
  select string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum) into wrong
  from pg_attribute
  where attrelid = to_regclass(place) and attnum > 0 and not attisdropped and not case
    when attname = 'id' then atttypid = 'uuid'::regtype
    when attname = 'payload' then atttypid in ('jsonb'::regtype, 'json'::regtype)
    when attname = 'attempts' then atttypid in ('integer'::regtype, 'bigint'::regtype, 'smallint'::regtype)
    when attname in ('created_at', 'processed_at') then atttypid in ('timestamptz'::regtype, 'timestamp'::regtype)
    else true
  end;
  if wrong is not null then
    raise exception 'columns of plain table % must be uuid for id, jsonb or json for payload, whole numbers for attempts'
      ', timestamps for created_at and processed_at (was %)', place, wrong;
  end if;

  -- An insert that leaves such a column out would fail. The outbox has defaults for the others.
  select string_agg(attname, ', ' order by attnum) into wrong
  from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = to_regclass(place) and attnum > 0 and not attisdropped
    and (attgenerated <> '' or attidentity <> ''
      or (atthasdef or typdefault is not null) and attname not in ('id', 'attempts', 'created_at'));
  if wrong is not null then
    raise exception 'columns of plain table % must not be generated, and have no default but for id, attempts and'
      ' created_at (was otherwise for %)', place, wrong
      using hint = 'Let the writers send these columns, and drop the defaults then.';
  end if;

  -- 2 is BEFORE, 4 is INSERT, 8 is DELETE: what the copy deletes it must be able to delete. Others change nothing in what
  -- is inserted or deleted, and stay with the plain table.
  select string_agg(tgname, ', ' order by tgname) into wrong
  from pg_trigger
  where tgrelid = to_regclass(place) and not tgisinternal and tgenabled <> 'D' and tgtype & 2 > 0 and tgtype & 12 > 0;
  if wrong is not null then
    raise exception 'plain table % must have no trigger before insert or delete (was %)', place, wrong
      using hint = 'Drop it, when the writers themselves send what it fills in.';
  end if;

  -- These know the plain table, or the type of its rows, by a number and not by its name, and would go on with it: what is
  -- written there is never sent. Its own policies stay with it.
  select string_agg(distinct pg_describe_object(classid, objid, objsubid), ', ') into wrong
  from pg_depend
    join pg_class plain on plain.oid = to_regclass(place)
    join pg_type of_row on of_row.oid = reltype
    left join pg_policy on classid = 'pg_policy'::regclass and pg_policy.oid = objid
  where deptype in ('n', 'a') and (
    refclassid = 'pg_class'::regclass and refobjid = plain.oid
      and (classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass) or polrelid <> plain.oid)
    or refclassid = 'pg_type'::regclass and refobjid in (of_row.oid, typarray));
  if wrong is not null then
    raise exception 'plain table % must have no rule, and nothing like a view, function or policy that is bound to it (was %)',
      place, wrong
      using hint = 'Drop them, and make them again when the files have run.';
  end if;
  select string_agg(other::text, ', ') into wrong
  from (
    select inhrelid::regclass from pg_inherits where inhparent = to_regclass(place)
    union all
    select inhparent::regclass from pg_inherits where inhrelid = to_regclass(place)
  ) family (other);
  if wrong is not null then
    raise exception 'plain table % must not inherit and not be inherited from (was by or from %)', place, wrong;
  end if;

  -- What refers to an event of the plain table could not refer to a new one.
  select string_agg(format('%s of %s', conname, conrelid::regclass), ', ' order by conname) into wrong
  from pg_constraint where confrelid = to_regclass(place) and contype = 'f';
  if wrong is not null then
    raise exception 'plain table % must not be referred to by foreign keys (was by %)', place, wrong
      using hint = 'Drop them before; the migration back does not make them again.';
  end if;

  for locked in 0..1 loop
    if locked = 1 then
      execute format('lock table %s in access exclusive mode', place);
    end if;

    begin
      execute format(
        $check$
          select count(*), min(coalesce(id::text, 'one without id')) from %s
          where processed_at is null and not coalesce(
            id is not null
            and char_length(aggregate_type::text) between 1 and 100
            and char_length(aggregate_id::text) between 1 and 100
            and char_length(event_type::text) between 1 and 100
            and attempts between 0 and 2147483647
            and jsonb_typeof(payload::jsonb) is not null
            and isfinite(created_at), false)
        $check$, place) into misfits, example;
    exception when data_exception then
      -- Only json that jsonb cannot hold; which one it was is not said.
      for example, payload in execute format('select id, payload::text from %s where processed_at is null', place) loop
        begin
          perform payload::jsonb;
        exception when data_exception then
          raise exception 'payloads of pending events of plain table % must be what jsonb can hold (was otherwise in %: %)',
            place, coalesce(example, 'one without id'), sqlerrm;
        end;
      end loop;
      raise;
    end;
    if misfits > 0 then
      raise exception 'pending events of plain table % must have an id, names of 1 to 100 characters, a payload, attempts'
        ' from 0 to 2147483647, and a finite created_at (was otherwise in %, such as %)', place, misfits, example;
    end if;

    -- Known without reading them where the table has a key.
    if not exists (
      select from pg_index
      where indrelid = to_regclass(place) and indisunique and indisvalid and indimmediate
        and indpred is null and indnkeyatts = 1
        and indkey[0] = (select attnum from pg_attribute where attrelid = to_regclass(place) and attname = 'id')
    ) then
      execute format(
        $check$
          select count(*), min(id::text)
          from (select id from %s where processed_at is null group by id having count(*) > 1) twin
        $check$, place) into twins, example;
      if twins > 0 then
        raise exception 'pending events of plain table % must have ids of their own (was the same id in several, for % ids'
          ' such as %)', place, twins, example;
      end if;
    end if;
  end loop;
end
$$;

-- To another schema, because its indexes may be named as ours are.
do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
begin
  execute format('create schema if not exists %I', plain_schema || '_plain');
  execute format('alter table %I.%I set schema %I', plain_schema, plain_table, plain_schema || '_plain');

  -- Where the migration was rolled back before, its table was set aside then.
  if to_regclass(format('%I.outbox_events', current_schema() || '_typed')) is not null then
    execute format('alter table %I.outbox_events set schema %I', current_schema() || '_typed', current_schema());
  end if;

  -- 2-switch.sql asks for it: it must end this transaction, and no other.
  perform set_config('typed_outbox.setting_aside', format('%I.%I', plain_schema, plain_table), true);
end
$$;
