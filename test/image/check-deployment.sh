#!/usr/bin/env bash
# Checks compose.yaml with the variables of the README, the settings that it names, Caddyfile, and the units of systemd.
# Needs the programs that test/support/deployment-tools.sh installs. test/processes/example-proxies.test.ts runs the proxies.
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

# The programs and folders of the units are not installed here. systemd only warns of what it does not know.
units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT
for unit in deploy/systemd/*.service; do
  sed "s|^ExecStart=/usr/bin/node |ExecStart=$(command -v node) |" "$unit" > "$units/${unit##*/}"
  output=$(systemd-analyze verify --man=no "$units/${unit##*/}" 2>&1) && [ -z "$output" ] || fail "$unit: $output"
  level=$(systemd-analyze security --offline=true --threshold=25 "$units/${unit##*/}" 2>&1) || fail "$unit: ${level##*$'\n'}"
done
echo 'compose.yaml, Caddyfile and the units of systemd are valid'
