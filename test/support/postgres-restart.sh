#!/usr/bin/env bash
# Restarts the Postgres of postgres-up.sh with an immediate shutdown, which simulates a crash.
set -euo pipefail

dir=${TEST_POSTGRES_DIR:-${TMPDIR:-/tmp}/grounded-chat-postgres-$(id -u)}
bin=$(dirname "$(head -1 "$dir/data/postmaster.opts" | cut -d' ' -f1)")
restart=("$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -m immediate -w -t 60 restart)
cd /
if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "${restart[@]}" >/dev/null; else "${restart[@]}" >/dev/null; fi
