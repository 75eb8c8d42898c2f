#!/usr/bin/env bash
# Stops the Postgres of postgres-up.sh, and no other; with --purge, removes its files too.
set -euo pipefail

dir=${TEST_POSTGRES_DIR:-${TMPDIR:-/tmp}/grounded-chat-postgres-$(id -u)}

pid=$(head -1 "$dir/data/postmaster.pid" 2>/dev/null || true)
# The number may belong to another process by now, if Postgres was killed.
if [ -n "$pid" ] && ps -o args= -p "$pid" | grep -qF -- "$dir/data"; then
  kill -INT "$pid" # a fast shutdown: sessions are ended, the cluster is left clean
  for _ in $(seq 300); do
    [ -e "$dir/data/postmaster.pid" ] || break
    sleep 0.1
  done
fi
if [ "${1:-}" = --purge ]; then rm -rf "$dir" "$dir.lock"; fi
