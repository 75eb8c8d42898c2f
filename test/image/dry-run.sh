#!/usr/bin/env bash
# Tests the container image without Docker: lints Dockerfile, compose.yaml and Caddyfile, runs the RUN commands of the
# Dockerfile in a clean directory, and starts the result in production mode on the Postgres at TEST_DATABASE_URL. On
# Debian, installs missing tools, as root or with sudo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

bash test/support/deployment-tools.sh >/dev/null
npx --yes dockerfile-utils@0.16.3 lint Dockerfile
bash test/image/check-deployment.sh

dir=$(mktemp -d)
database=image_$$
trap 'kill "${pid:-}" 2>/dev/null || true; wait; psql -q "$TEST_DATABASE_URL" -c "drop database if exists $database with (force)"; rm -rf "$dir"' EXIT

# Copies the files that COPY would copy, considering .dockerignore.
mkdir "$dir/build" "$dir/image"
cp -a package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json scripts supabase src "$dir/build"
find "$dir/build/src" -name generated -type d -prune -exec rm -rf {} +
# Runs the RUN commands of the build stage.
awk '/^FROM/ { stage++ } stage == 1 && (/^RUN/ || more) { more = /\\$/; sub(/^RUN /, ""); print }' Dockerfile > "$dir/run.sh"
(cd "$dir/build" && bash -euo pipefail "$dir/run.sh")
mv "$dir"/build/{package.json,node_modules,dist} "$dir/image"
rm -rf "$dir/build"
node test/image/check-licenses.mjs "$dir/image/node_modules"
du -sm "$dir/image/node_modules" "$dir/image/dist"

psql -q "$TEST_DATABASE_URL" -c "create database $database"
cd "$dir/image"
NODE_ENV=production HOST=127.0.0.1 PORT=0 DATA_DIR=$dir/data DATABASE_URL=${TEST_DATABASE_URL%/*}/$database \
  node dist/src/main.js > "$dir/log" 2>&1 &
pid=$!
for _ in $(seq 240); do
  url=$(sed -n 's/.*REST API *\(http:[^ ]*\)\/api\/v1 .*/\1/p' "$dir/log")
  [ -z "$url" ] || break
  kill -0 "$pid" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
  sleep 0.5
done
curl -sSf "$url/health/ready"
kill -TERM "$pid"
wait "$pid"
echo
