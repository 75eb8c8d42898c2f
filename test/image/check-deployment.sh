#!/usr/bin/env bash
# Checks compose.yaml with the secrets of the README, the settings that it names, Caddyfile, and the units of systemd. Needs
# the programs that test/support/deployment-tools.sh installs. test/processes/example-proxies.test.ts runs the proxies.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "$*" >&2; exit 1; }

# In a folder of its own, because compose reads .env of its folder.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/scripts" "$dir/deploy"
cp compose.yaml "$dir"
cp deploy/compose.tls.yaml "$dir/deploy"
cp scripts/docker-secrets.sh "$dir/scripts"
compose() { (cd "$dir" && env -u POSTGRES_PASSWORD -u JWT_SECRET docker-compose "$@" 2>&1); }

printf 'CHAT_MODEL=a-model\nPORT=4000' > "$dir/.env"
if error=$(compose config); then fail 'compose.yaml: starts without secrets'; fi
[[ $error == *docker-secrets.sh* ]] || fail "compose.yaml: the error does not name docker-secrets.sh: $error"

secrets='bash scripts/docker-secrets.sh'
for page in README.md docs/guides/deployment.md; do grep -qx "$secrets" $page || fail "$page: does not write the secrets"; done
(cd "$dir" && $secrets)
before=$(cat "$dir/.env")
(cd "$dir" && $secrets)
[ "$(cat "$dir/.env")" = "$before" ] || fail 'docker-secrets.sh: a second run changes .env'
[ "$(stat -c %a "$dir/.env")" = 600 ] || fail 'docker-secrets.sh: others can read .env'
[ "$(wc -l < "$dir/.env")" = 4 ] || fail "docker-secrets.sh: .env has other lines than two settings and two secrets"

printed=$(compose config) || fail "compose.yaml: not valid with the secrets: $printed"
has() { [ "$(grep -c "^      $1\$" <<< "$printed")" = 4 ] || fail "compose.yaml: not in all four processes: $1"; }
has 'CHAT_MODEL: a-model'
has "PORT: '3000'"
has 'PUBLIC_URL: http://localhost:8080'

tls=$(SITE_ADDRESS=chat.example.com compose -f compose.yaml -f deploy/compose.tls.yaml config) || fail "compose.tls.yaml: $tls"
[[ $tls == *'SITE_ADDRESS: chat.example.com'* && $tls == *443* ]] || fail 'compose.tls.yaml: no address for the certificate'

# The service ignores variables that it does not know, so a misspelled setting would have no effect.
names=$(grep -oE '^      [A-Z_]+:' <<< "$printed" | tr -d ' :' | sort -u)
[[ $names == *DATABASE_URL* ]] || fail 'compose.yaml: no settings found'
for name in $names; do
  [ "$name" = POSTGRES_PASSWORD ] || grep -qE "^#? ?$name=" .env.example || fail "compose.yaml: $name is not in .env.example"
done

for setting in -uSITE_ADDRESS SITE_ADDRESS=chat.example.com; do
  output=$(env "$setting" caddy validate --config Caddyfile --adapter caddyfile 2>&1) || fail "$output"
done

# The programs and folders of the units are not installed here. systemd only warns of what it does not know.
units=$dir/units
mkdir "$units"
for unit in deploy/systemd/*.service; do
  sed "s|^ExecStart=/usr/bin/node |ExecStart=$(command -v node) |" "$unit" > "$units/${unit##*/}"
  output=$(systemd-analyze verify --man=no "$units/${unit##*/}" 2>&1) && [ -z "$output" ] || fail "$unit: $output"
  level=$(systemd-analyze security --offline=true --threshold=25 "$units/${unit##*/}" 2>&1) || fail "$unit: ${level##*$'\n'}"
done
echo 'compose.yaml, Caddyfile and the units of systemd are valid'
