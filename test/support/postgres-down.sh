#!/usr/bin/env bash
# Stops only the Postgres started by postgres-up.sh. With --purge, also deletes its files.
set -euo pipefail

dir=${TEST_POSTGRES_DIR:-${TMPDIR:-/tmp}/grounded-chat-postgres-$(id -u)}

pid=$(head -1 "$dir/data/postmaster.pid" 2>/dev/null || true)
# If Postgres was killed, the pid may belong to another process in the meantime.
if [ -n "$pid" ] && ps -o args= -p "$pid" | grep -qF -- "$dir/data"; then
  kill -INT "$pid" # fast shutdown: closes sessions, leaves the cluster consistent
  for _ in $(seq 300); do
    [ -e "$dir/data/postmaster.pid" ] || break
    sleep 0.1
  done
fi
if [ "${1:-}" = --purge ]; then rm -rf "$dir" "$dir.lock"; fi
