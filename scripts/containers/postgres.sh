#!/usr/bin/env bash
# The entry point of the image of PostgreSQL: makes the database that the variables name, then serves it.
set -euo pipefail

if [[ ! -e $PGDATA/PG_VERSION ]]; then
    initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s' "$POSTGRES_PASSWORD") \
        --encoding=UTF8 --locale=C --auth-local=trust --auth-host=scram-sha-256
    echo "CREATE DATABASE $POSTGRES_USER" | postgres --single postgres
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
# Not in /run/postgresql: runc 1.1 gives a tmpfs the mode of the folder below it, whatever the Compose file says.
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp
