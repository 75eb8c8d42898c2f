#!/usr/bin/env bash
# Starts a PgBouncer in transaction mode in front of the Postgres at TEST_DATABASE_URL and prints only its URL on
# stdout. With TEST_POOLER_URL, tests connect through the pooler; only connections that need a session bypass it:
#   TEST_POOLER_URL=$(test/support/pgbouncer-up.sh) npm run vitest -- run test/contract
# On Debian and Ubuntu, installs PgBouncer if missing, as root or with sudo. Safe to run again.
# `pgbouncer-up.sh stop` stops it. All users of this machine can connect.
#   TEST_PGBOUNCER_DIR   directory for configuration, pid and log  (default: below the temporary directory)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/free-port.sh"

dir=${TEST_PGBOUNCER_DIR:-${TMPDIR:-/tmp}/grounded-chat-pgbouncer-$(id -u)}
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
# PgBouncer refuses to run as root, like Postgres.
as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
# Checks the arguments too, because the pid may belong to another process in the meantime.
is_running() { ps -o args= -p "$(cat "$dir/pid" 2>/dev/null || echo 0)" 2>/dev/null | grep -qF -- "$dir/pgbouncer.ini"; }

if [ "${1:-}" = stop ]; then
  if is_running; then kill -TERM "$(cat "$dir/pid")"; fi
  exit
fi

command -v pgbouncer >/dev/null || {
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install pgbouncer >&2
  # The package starts another PgBouncer on the default port.
  if command -v systemctl >/dev/null; then as_root systemctl disable --now pgbouncer >/dev/null 2>&1 || true; fi
}

read -r user host port < <(node -e '
  const { username, hostname, port } = new URL(process.env.TEST_DATABASE_URL);
  console.log(username || "postgres", hostname, port || 5432)')

# As limited as Supavisor: no startup parameters, no named prepared statements.
write_settings() {
  cat > "$dir/pgbouncer.ini" <<CONF
[databases]
* = host=$host port=$port user=$user
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $1
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 2000
server_idle_timeout = 5
server_login_retry = 1
pidfile = $dir/pid
logfile = $dir/log
CONF
}

start_at() {
  write_settings "$1"
  if [ "$(id -u)" = 0 ]; then chown -R postgres: "$dir"; fi
  as_postgres pgbouncer -q -d "$dir/pgbouncer.ini" >&2 || return
  for _ in $(seq 50); do [ -e "$dir/pid" ] && return; sleep 0.1; done
  return 1
}

if ! is_running; then
  mkdir -p "$dir"
  start_at_free_port || { tail -20 "$dir/log" >&2; echo 'pgbouncer-up: PgBouncer did not start' >&2; exit 1; }
fi
echo "postgresql://$user@127.0.0.1:$(sed -n 's/^listen_port = //p' "$dir/pgbouncer.ini")/postgres"
