#!/bin/sh
# Gives the relay of compose.yaml a user of its own, with the rights of roles.sql and no others. May run again.
set -eu

PGPASSWORD=$(cat /run/secrets/postgres)
RELAY_PASSWORD=$(cat /run/secrets/relay)
export PGPASSWORD RELAY_PASSWORD

# The last right is for the relay's page, which retries and discards dead letters.
psql -v ON_ERROR_STOP=1 -q -h postgres -U postgres -d orders -f /roles.sql -f - <<'END'
\getenv password RELAY_PASSWORD
select 'create role relay login' where not exists (select from pg_roles where rolname = 'relay') \gexec
alter role relay password :'password';
grant outbox_relay, outbox_admin to relay;
END
