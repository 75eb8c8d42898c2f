#!/usr/bin/env bash
# Runs a private primary and a streaming replica of it for the tests of read replicas. Needs the Postgres and pgvector that
# postgres-up.sh has installed. All files are below DIR. Not for production: fsync is off, and all users can connect.
#   postgres-replica.sh DIR up              creates and starts both, and prints the URLs of primary and replica, one a line
#   postgres-replica.sh DIR start NAME      starts one: primary or replica
#   postgres-replica.sh DIR stop NAME MODE  stops one; immediate is a crash
#   postgres-replica.sh DIR promote NAME    makes a replica a primary
#   postgres-replica.sh DIR rebuild NAME    replaces the files of a stopped one: it becomes a standby of the other
#   postgres-replica.sh DIR down            stops both and deletes all files
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/free-port.sh"
dir=$1

bin=
for config in $(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config | sort -rV) "$(command -v pg_config || true)"; do
  [ -x "$config" ] && [ -x "$("$config" --bindir)/pg_basebackup" ] || continue
  [ -e "$("$config" --sharedir)/extension/vector.control" ] || continue
  bin=$("$config" --bindir)
  break
done
[ -n "$bin" ] || { echo 'postgres-replica: no Postgres with pgvector and pg_basebackup found' >&2; exit 1; }

# Postgres refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then ( cd / && runuser -u postgres -- "$@" ); else ( cd / && "$@" ); fi
}
control() { local name=$1; shift; as_postgres "$bin/pg_ctl" -D "$dir/$name" -w -t 60 "$@" >/dev/null; }
run() { control "$1" -l "$dir/$1.log" -o "-p $(cat "$dir/$1.port")" start; }
fail() { tail -20 "$dir/$1.log" >&2; exit 1; }
start() { run "$1" || fail "$1"; }
# Starts a new server. It keeps its port when it is started again.
start_new() {
  local name=$1
  start_at() { echo "$1" > "$dir/$name.port" && run "$name"; }
  start_at_free_port || fail "$name"
}

# Copies the files of the other server.
copy_to() {
  local other=primary
  if [ "$1" = primary ]; then other=replica; fi
  as_postgres "$bin/pg_basebackup" -D "$dir/$1" -R -X stream -c fast -N \
    -d "postgresql://postgres@127.0.0.1:$(cat "$dir/$other.port")/postgres"
}

up() {
  mkdir -p "$dir"
  if [ "$(id -u)" = 0 ]; then chown postgres: "$dir"; fi
  chmod 700 "$dir"
  local locale
  locale=$(locale -a | grep -Eix 'c\.utf-?8|en_us\.utf-?8' | head -1)
  as_postgres "$bin/initdb" -D "$dir/primary" -U postgres -E UTF8 --locale="${locale:-C}" --auth=trust -N >/dev/null
  as_postgres tee -a "$dir/primary/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
max_connections = 100
shared_buffers = 32MB
fsync = off
full_page_writes = off
wal_keep_size = 256MB
jit = off
shared_preload_libraries = '$(ls "$("$bin/pg_config" --pkglibdir)/pg_stat_statements.so" >/dev/null 2>&1 && echo pg_stat_statements)'
CONF
  start_new primary
  copy_to replica
  start_new replica
  for name in primary replica; do echo "postgresql://postgres@127.0.0.1:$(cat "$dir/$name.port")/postgres"; done
}

case $2 in
  up) up ;;
  start) start "$3" ;;
  stop) control "$3" -m "$4" stop ;;
  rebuild) rm -rf "${dir:?}/$3" && copy_to "$3" && start "$3" ;;
  promote) control "$3" promote ;;
  down)
    for name in primary replica; do control "$name" -m immediate stop 2>/dev/null || true; done
    rm -rf "$dir"
    ;;
  *) echo "postgres-replica: unknown command $2" >&2; exit 1 ;;
esac
