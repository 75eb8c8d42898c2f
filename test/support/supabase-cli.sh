#!/usr/bin/env bash
# Installs the Supabase CLI for the tests, and on Debian the checker of functions that its `db lint` needs in the newest
# Postgres that is installed; prints the path of the CLI (only that) on stdout:
#   SUPABASE_CLI=$(test/support/supabase-cli.sh) npm run vitest -- test/processes/supabase-cli.test.ts
# Not a dependency of the project, because it is a 140 MB program that only these tests need.
set -euo pipefail

version=3.1.0
dir=${SUPABASE_CLI_DIR:-${TMPDIR:-/tmp}/grounded-chat-supabase-cli-$(id -u)}
cli=$dir/node_modules/.bin/supabase
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

if [ "$("$cli" --version 2>/dev/null || true)" != "$version" ]; then
  mkdir -p "$dir"
  echo '{ "private": true }' > "$dir/package.json"
  npm install --prefix "$dir" --no-audit --no-fund --silent "supabase@$version" >&2
fi

server=$(ls -d /usr/lib/postgresql/*/ 2>/dev/null | sort -rV | head -1 || true)
server=$(basename "${server:-none}")
if [ "$server" != none ] && [ ! -e "/usr/share/postgresql/$server/extension/plpgsql_check.control" ]; then
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends \
    install "postgresql-$server-plpgsql-check" >&2
fi
echo "$cli"
