#!/usr/bin/env bash
# Checks compose.yaml with the variables of the README, the settings that it names, and Caddyfile. Needs the programs that
# test/support/deployment-tools.sh installs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "$*" >&2; exit 1; }

unset POSTGRES_PASSWORD JWT_SECRET
if error=$(docker-compose -f compose.yaml config 2>&1); then fail 'compose.yaml: starts without secrets'; fi
[[ $error == *'set POSTGRES_PASSWORD'* || $error == *'set JWT_SECRET'* ]] || fail "$error"

exports=$(grep '^export POSTGRES_PASSWORD=' README.md) || fail 'README.md: does not set the variables of compose.yaml'
eval "$exports"
printed=$(docker-compose -f compose.yaml config) || fail 'compose.yaml: not valid with the variables of the README'

# The service ignores variables that it does not know, so a misspelled setting would have no effect.
names=$(grep -oE '^      [A-Z_]+:' <<< "$printed" | tr -d ' :' | sort -u)
[[ $names == *DATABASE_URL* ]] || fail 'compose.yaml: no settings found'
for name in $names; do
  [ "$name" = POSTGRES_PASSWORD ] || grep -qE "^#? ?$name=" .env.example || fail "compose.yaml: $name is not in .env.example"
done

output=$(caddy validate --config Caddyfile --adapter caddyfile 2>&1) || fail "$output"
echo 'compose.yaml and Caddyfile are valid'
