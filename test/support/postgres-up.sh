#!/usr/bin/env bash
# Starts a private Postgres with pgvector for the tests and prints only its URL on stdout:
#   TEST_DATABASE_URL=$(test/support/postgres-up.sh) npm run vitest
# Uses the newest installed Postgres (15 or later) with pgvector (0.8 or later). On Debian and Ubuntu, installs missing
# packages, as root or with sudo. Safe to run again: completed steps are skipped.
# Not for production: fsync is off, and all users of this machine can connect.
#   TEST_POSTGRES_DIR   directory for cluster, socket and log  (default: below the temporary directory)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/free-port.sh"

dir=${TEST_POSTGRES_DIR:-${TMPDIR:-/tmp}/grounded-chat-postgres-$(id -u)}
log() { echo "postgres-up: $*" >&2; }
fail() { log "$*"; exit 1; }

# Debian's source packages of pgvector: suite, version, checksum from Debian's signed source index. The first that the
# mirror has is built. A suite in development drops a version when the next one arrives; a stable suite keeps it.
vector_sources=(
  'forky 0.8.7 b028949dce65a39818cf2bccd64c0a2abc68262a2079f598b161de9c82c9510e'
  'trixie 0.8.0 867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0'
)

# Prints the bin directory of the newest Postgres server; with "vector", of the newest that has pgvector.
find_server() {
  local pg_config share version
  for pg_config in $(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config /usr/pgsql-*/bin/pg_config \
    /opt/homebrew/opt/postgresql@*/bin/pg_config /usr/local/opt/postgresql@*/bin/pg_config | sort -rV) \
    "$(command -v pg_config || true)"; do
    [ -x "$pg_config" ] && [ -x "$("$pg_config" --bindir)/postgres" ] || continue
    version=$("$pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    [ "$version" -ge 15 ] || continue
    if [ "${1:-}" = vector ]; then
      share=$("$pg_config" --sharedir)
      grep -Eq "default_version *= *'(0\.([89]|[1-9][0-9])|[1-9])" "$share/extension/vector.control" 2>/dev/null || continue
    fi
    "$pg_config" --bindir
    return
  done
  return 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
apt_install() {
  log "installing $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install "$@" >&2
}

install_server() {
  command -v apt-get >/dev/null || fail "no Postgres 15 or later with pgvector 0.8 or later found. Install them (macOS: brew install postgresql@17 pgvector), or set TEST_DATABASE_URL to a server of yours"
  [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || fail "no Postgres with pgvector 0.8 found, and installing needs root: apt-get install postgresql, then pgvector from https://github.com/pgvector/pgvector#installation"
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  if ! find_server >/dev/null; then
    # Prevents the package from creating and starting its default cluster.
    as_root mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
    apt_install postgresql
  fi
  local version
  version=$("$(find_server)/pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
  apt_install "postgresql-$version-pgvector" 2>/dev/null || log "no package with pgvector for Postgres $version"
  find_server vector >/dev/null || build_vector "$version"
}

build_vector() {
  apt_install gcc make libc6-dev "postgresql-server-dev-$1"
  local build archive
  build=$(mktemp -d)
  archive=$(fetch_vector_source "$build")
  tar xzf "$archive" -C "$build" --strip-components=1
  # OPTFLAGS= disables -march=native, because the build may be cached for other machines
  local flags=(-s -C "$build" with_llvm=no OPTFLAGS= "PG_CONFIG=/usr/lib/postgresql/$1/bin/pg_config")
  make "${flags[@]}" -j2 >&2
  as_root make "${flags[@]}" install >&2
  rm -rf "$build"
}

# Downloads the source package into a directory, and prints the path of the archive.
fetch_vector_source() {
  local source suite version checksum archive
  for source in "${vector_sources[@]}"; do
    read -r suite version checksum <<<"$source"
    archive=$1/pgvector_$version.orig.tar.gz
    log "fetching pgvector $version from Debian's suite $suite"
    download_source "$1" "$suite" "pgvector=$version-1" || { log "the mirror lacks it"; continue; }
    echo "$checksum  $archive" | sha256sum -c --quiet - >&2 || fail "$archive has another checksum"
    echo "$archive"
    return
  done
  fail "no source package of pgvector found: install pgvector by hand"
}

# Downloads with apt from the configured mirror. Uses separate package lists, so that the system's lists stay unchanged.
download_source() {
  local apt=$1/apt mirror
  mirror=$(awk '/^URIs:/ { print $2; exit } $1 == "deb" { print $2; exit }' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null) || true
  [ -n "$mirror" ] || fail "no Debian mirror is configured: install pgvector by hand"
  mkdir -p "$apt"/lists/partial "$apt"/cache/archives/partial
  : > "$apt/status"
  printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
    "$mirror" "$2" > "$apt/vector.sources"
  cat > "$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$apt/vector.sources";
Dir::Etc::sourceparts "-";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
APT::Sandbox::User "$(id -un)";
CONF
  (cd "$1" && APT_CONFIG=$apt/apt.conf apt-get -qq update >&2 &&
    APT_CONFIG=$apt/apt.conf apt-get -qq source --download-only "$3" >&2)
}

# Postgres refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then ( cd / && runuser -u postgres -- "$@" ); else ( cd / && "$@" ); fi
}

create_cluster() {
  log "creating a cluster in $dir"
  local locale
  locale=$(locale -a | grep -Eix 'c\.utf-?8|en_us\.utf-?8' | head -1)
  as_postgres "$bin/initdb" -D "$dir/data" -U postgres -E UTF8 --locale="${locale:-C}" --auth=trust -N >/dev/null
  as_postgres tee -a "$dir/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
max_connections = 200
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
jit = off
# pgvector below 0.8.2 can crash when it builds an HNSW index in parallel
max_parallel_maintenance_workers = 0
CONF
}

start_at() { as_postgres "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -o "-p $1" -w -t 60 start >/dev/null 9>&-; }

bin=$(find_server vector) || { install_server; bin=$(find_server vector) || fail "failed to install pgvector"; }

mkdir -p "$dir"
if [ "$(id -u)" = 0 ]; then chown postgres: "$dir"; fi
chmod 700 "$dir"
# Prevents two concurrent runs from creating and starting the same cluster.
if command -v flock >/dev/null; then exec 9>"$dir.lock"; flock 9; fi

[ -e "$dir/data/PG_VERSION" ] || create_cluster
if ! as_postgres "$bin/pg_ctl" -D "$dir/data" status >/dev/null 2>&1; then
  start_at_free_port || { tail -20 "$dir/log" >&2; fail "Postgres did not start"; }
fi
echo "postgresql://postgres@127.0.0.1:$(sed -n 4p "$dir/data/postmaster.pid")/postgres"
