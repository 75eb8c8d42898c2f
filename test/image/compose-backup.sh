#!/usr/bin/env bash
# Runs the backup and the restore of the guide for Docker without an engine: two folders with a Postgres each take the place
# of two machines, and a stand-in for `docker compose` runs what the containers would run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source=$PWD
node --input-type=module -e "
  const { prepareCheckout } = await import('./scripts/prepare.mjs');
  await prepareCheckout(process.cwd(), { withBundle: true });"

fail() { echo "$*" >&2; exit 1; }
root=$(mktemp -d /tmp/compose-backup-XXXXXX)
chmod 755 "$root"
clean_up() {
  for machine in old new; do
    kill "$(cat "$root/$machine.pid" 2>/dev/null)" 2>/dev/null || true
    TEST_POSTGRES_DIR=$root/$machine.postgres bash test/support/postgres-down.sh --purge >/dev/null 2>&1 || true
  done
  rm -rf "$root"
}
trap clean_up EXIT

# `docker compose` in the folder of a machine. `exec` and `run` have the settings of the containers, and their volume.
mkdir "$root/bin"
cat > "$root/bin/docker" <<'DOCKER'
#!/usr/bin/env bash
set -euo pipefail
machine=$PWD
url=$(cat "$machine.url")
[ "$1" = compose ] && shift
command=$1
shift
while [[ "${1:-}" == -* ]]; do shift; done
case $command in
  build) exit ;;
  up)
    [ "$#" = 0 ] || exit 0
    set -a; . ./.env; set +a
    cd "$SOURCE"
    DATABASE_URL=$url DATA_DIR=$machine.volume PORT=0 node dist/src/main.js > "$machine.log" 2>&1 &
    echo $! > "$machine.pid"
    until grep -q 'REST API' "$machine.log"; do kill -0 $!; sleep 0.1; done
    exit
    ;;
esac
service=$1
shift
if [ "$service" = postgres ]; then
  PGHOST=$(sed -E 's#.*@([^:/]+).*#\1#' <<< "$url") PGPORT=$(sed -E 's#.*:([0-9]+)/.*#\1#' <<< "$url") exec "$@"
fi
set -a; . ./.env; set +a
arguments=("${@//\/data/$machine.volume}")
cd "$SOURCE"
DATABASE_URL=$url DATA_DIR=$machine.volume exec "${arguments[@]}"
DOCKER
chmod +x "$root/bin/docker"
export PATH=$root/bin:$PATH SOURCE=$source

for machine in old new; do
  mkdir "$root/$machine" "$root/$machine.volume"
  TEST_POSTGRES_DIR=$root/$machine.postgres bash test/support/postgres-up.sh 2>/dev/null > "$root/$machine.url"
done

# Prints the first (1) or second (2) shell block of the section.
block() {
  awk -v n="$1" '/^### Docker/ { inside = 1 } /^## / { inside = 0 }
    inside && /^```/ { open = !open; if (open) count++; next } inside && open && count == n' "$SOURCE/docs/guides/operations.md"
}
[ -n "$(block 1)" ] && [ -n "$(block 2)" ] || fail 'operations.md: no blocks for Docker'

# The old machine: a document with a file, a webhook whose secret is encrypted, and a key.
cd "$root/old"
mkdir scripts && cp "$source/scripts/docker-secrets.sh" scripts && bash scripts/docker-secrets.sh
docker compose up --detach --wait
base() { sed -n 's#.*REST API *\(http:[^ ]*\) .*#\1#p' "$root/$1.log"; }
key=$(docker compose exec api-1 node dist/src/cli/cli.js seed --json | node -p 'JSON.parse(fs.readFileSync(0)).secret')
call() { curl -sSf "$(base "$1")$2" -H "Authorization: Bearer $key" "${@:3}"; }
call old /knowledge/documents/upload -F "file=@$source/test/fixtures/handbook.pdf" > /dev/null
call old /webhooks -H 'Content-Type: application/json' -d '{"url": "https://hooks.example.com/chat"}' > /dev/null
bash "$source/scripts/wait-for.sh" READY "$(base old)/knowledge/documents?search=handbook" -H "Authorization: Bearer $key"
bash -euo pipefail -c "$(block 1)"
kill "$(cat "$root/old.pid")"

cd "$root/new"
cp -r "$root"/old/{keys,grounded.dump,files.tar} .
bash -euo pipefail -c "$(block 2)"
answer=$(call new /chat -H 'Content-Type: application/json' -d '{"message": "How many days of paid leave do full-time staff have?"}')
[[ $answer == *'28 days'* ]] || fail "The restored service answers: $answer"
id=$(call new '/knowledge/documents?search=handbook' | node -p 'JSON.parse(fs.readFileSync(0)).data[0].id')
call new "/knowledge/documents/$id/original" | cmp - "$source/test/fixtures/handbook.pdf"
cmp "$root/old.volume/secrets-key" "$root/new.volume/secrets-key"
[ "$(stat -c %a "$root/new.volume/secrets-key")" = 600 ] || fail 'others can read the restored key'
echo 'Backup and restore of the containers: documents, files, keys and secrets are as before'
