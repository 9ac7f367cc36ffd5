-- Typed Outbox, from a plain outbox table, 2 of 3: the writers go on with the new table. Ends the transaction that
-- 1-set-aside.sql began.

do
$$
declare
  plain_schema text := coalesce(nullif(current_setting('typed_outbox.plain_schema', true), ''), current_schema());
  plain_table  text := coalesce(nullif(current_setting('typed_outbox.plain_table', true), ''), 'outbox_events');
  plain        regclass := to_regclass(format('%I.%I', plain_schema || '_plain', plain_table));
  place        text := format('%I.%I', plain_schema, plain_table);
  outbox       text := format('%I.%I', current_schema(), 'outbox_events');
  -- Numbers that are kept free for the events of the plain table, below those of all that writers write from now on.
  reserved     constant bigint := 1000000000;
  drawn        bigint;
  rights       record;
begin
  -- Numbers kept free a second time would lie above what the writers have written since the first.
  if current_setting('typed_outbox.setting_aside', true) is distinct from place then
    raise exception 'plain table % must have been set aside in this transaction (was not)', place
      using hint = 'Run 1-set-aside.sql before, in the same session; its transaction must be open.';
  end if;
  if plain is null or to_regclass(place) is not null and place <> outbox then
    raise exception 'plain table % must have been set aside (was not)', place
      using hint = 'Run 1-set-aside.sql before, in the same session.';
  end if;
  if not exists (select from pg_attribute where attrelid = to_regclass(outbox) and attname = 'seq' and attidentity = 'a') then
    raise exception 'table % must be that of Typed Outbox (was not)', outbox
      using hint = 'Run the migrations before.';
  end if;

  execute format('lock table %s in access exclusive mode', outbox);
  execute format('select last_value - (not is_called)::int from %s', pg_get_serial_sequence(outbox, 'seq')) into drawn;
  execute format('alter table %s alter column seq set start with %s restart with %s',
    outbox, drawn + reserved + 1, drawn + reserved + 1);

  if place <> outbox then
    execute format('create view %s as select id, aggregate_type, aggregate_id, event_type, payload, attempts, created_at,'
      ' processed_at from %s', place, outbox);
  end if;

  -- Who had rights on the plain table, its owner among them, has the same on what stands in its place.
  for rights in
    select acl.privilege_type || target.columns as what, coalesce(quote_ident(role.rolname), 'public') as whose,
      case when acl.is_grantable then ' with grant option' else '' end as further
    from (
      select coalesce(relacl, acldefault('r', relowner)) as items, '' as columns from pg_class where oid = plain
      union all
      select attacl, format(' (%I)', attname) from pg_attribute where attrelid = plain and attacl is not null
    ) target
    cross join aclexplode(target.items) acl
    left join pg_roles role on role.oid = acl.grantee
    where acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format('grant %s on %s to %s%s', rights.what, place, rights.whose, rights.further);
  end loop;
end
$$;

commit;
