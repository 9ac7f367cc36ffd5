-- Typed Outbox, back to a plain outbox table, 1 of 2: the writers go on with the plain table. For when no relay of Typed
-- Outbox runs any more; the settings are those of 1-set-aside.sql. docs/migrating-in.md has the steps.

begin;

set local lock_timeout = '2s';

do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
  place        text := format('%I.%I', plain_schema, plain_table);
  outbox       text := format('%I.outbox_events', current_schema());
begin
  if to_regclass(format('%I.%I', plain_schema || '_plain', plain_table)) is null then
    raise exception 'plain table % must have been set aside (was not)', place;
  end if;

  -- The view before its table, as those lock them who write through it.
  if place <> outbox then
    execute format('drop view if exists %s', place);
  end if;
  execute format('create schema if not exists %I', current_schema() || '_typed');
  execute format('alter table %s set schema %I', outbox, current_schema() || '_typed');
  execute format('alter table %I.%I set schema %I', plain_schema || '_plain', plain_table, plain_schema);
end
$$;

commit;
