#!/usr/bin/env bash
# Everything that a release must pass: the checks, every gear of tests (vitest.config.ts), parts of them with Supabase's
# stand-ins and through a pooler, and the image. Takes an hour. Needs Node, npm and, for Postgres and the browser, root on
# Debian. Stops at the first failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly limit_minutes=80
readonly postgres=test/support/postgres
readonly pooler=test/support/pgbouncer-up.sh
ends=$((SECONDS + limit_minutes * 60))

# Runs a command under a headline; says how long it took; stops it when the time of the whole run is up.
step() {
  local title=$1 started=$SECONDS code=0
  shift
  printf '\n=== %s\n' "$title"
  timeout --foreground --kill-after=30 $((ends - SECONDS)) "$@" || code=$?
  if ((code == 124)); then printf '=== %s: more than %d minutes in all\n' "$title" "$limit_minutes"; fi
  if ((code != 0)); then
    printf '=== %s: FAILED after %d s (exit code %d)\n' "$title" $((SECONDS - started)) "$code"
    exit "$code"
  fi
  printf '=== %s: ok, %d s\n' "$title" $((SECONDS - started))
}

clean_up() {
  rm -f "${output:-}"
  if [[ -n ${has_postgres:-} ]]; then
    bash "$pooler" stop || true
    bash "$postgres-17-up.sh" stop || true
    bash "$postgres-down.sh" --purge || true
  fi
}
trap clean_up EXIT

output=$(mktemp)
step 'a Chromium' bash -c "bash test/support/chromium-up.sh > '$output'"
CHROMIUM_PATH=$(tail -n 1 "$output")
export CHROMIUM_PATH

step 'checks, and tests on the embedded database' npm test
step 'tests of processes' npm run test:processes
step 'tests in a browser' npm run test:browser

step 'the linters and generators of clients' bash -c "bash test/support/conformance-tools.sh > '$output'"
CONFORMANCE_TOOLS=$(tail -n 1 "$output") step 'conformance' \
  node scripts/run.mjs exec vitest run --retry=1 test/processes/{,mcp-,openai-}conformance.test.ts

# Its packages are on PyPI, which may be out of reach where the registries of npm and Debian are not.
if bash test/support/python-tools.sh > "$output"; then
  PYTHON_TOOLS=$(tail -n 1 "$output") step 'the Python client' \
    node scripts/run.mjs exec vitest run --retry=1 test/processes/{python-client,openai-conformance}.test.ts
else
  printf '\n=== the Python client: skipped, because its packages could not be installed\n'
fi

has_postgres=yes
step 'a Postgres with pgvector' bash -c "bash '$postgres-up.sh' > '$output'"
TEST_DATABASE_URL=$(tail -n 1 "$output")
export TEST_DATABASE_URL
step 'the Supabase CLI' bash -c "bash test/support/supabase-cli.sh > '$output'"
SUPABASE_CLI=$(tail -n 1 "$output")
export SUPABASE_CLI
step 'tests on Postgres' npm run test:postgres

# The embedded database is Postgres 18, and Debian's is 15. Where this one cannot be built, the other two remain.
if bash "$postgres-17-up.sh" > "$output"; then
  TEST_DATABASE_URL=$(tail -n 1 "$output") step 'migrations on Postgres 17' npm run vitest -- run --retry=1 \
    test/processes/{migrate,pgvector-places}.test.ts test/platform/function-rights.test.ts
else
  printf '\n=== migrations on Postgres 17: skipped, because it could not be built\n'
fi
bash "$postgres-17-up.sh" stop

# What stores files or tells of changes, once more with Supabase's Storage and Realtime in place of our own.
readonly supabase_tests=(
  test/contract/{knowledge,handoff}.test.ts
  test/processes/{inbox-failover,inbox-two-nodes,storage-outage}.test.ts
  test/schema/{inbox,handoffs}.test.ts
  test/domain/{ingestion,handoff,handoff-lifecycle}.test.ts
)
step "tests with Supabase's stand-ins" env TEST_SUPABASE=1 \
  node scripts/run.mjs exec vitest run --retry=1 "${supabase_tests[@]}"

# What keeps state, orders jobs, listens or works in several processes, once more behind a pooler for transactions.
readonly pooler_tests=(
  test/contract/{chat,concurrent-requests,handoff,idempotency,knowledge,rate-limits,resume-answer,usage}.test.ts
  test/processes/two-nodes.test.ts
  test/schema/{inbox,handoffs,members}.test.ts
  test/platform/{database-pool,tenancy}.test.ts
)
step 'a pooler for transactions' bash -c "bash '$pooler' > '$output'"
TEST_POOLER_URL=$(tail -n 1 "$output") \
  step 'tests behind the pooler' node scripts/run.mjs exec vitest run --retry=1 "${pooler_tests[@]}"

step 'several processes that die' npm run topology
step 'the image' bash test/image/dry-run.sh

printf '\n=== all good, %d s\n' "$SECONDS"
