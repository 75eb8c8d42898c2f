#!/usr/bin/env bash
# Installs the linters, generators of clients and Relay's compiler that test/processes/conformance.test.ts runs; prints the folder of their
# programs (only that) on stdout:
#   CONFORMANCE_TOOLS=$(test/support/conformance-tools.sh) npm run vitest -- run test/processes/conformance.test.ts
# Not dependencies of the project, because they are 400 packages of 300 MB that only this test needs.
set -euo pipefail

packages=(
  @redocly/cli@2.77.0
  @stoplight/spectral-cli@6.16.3
  @hey-api/openapi-ts@0.99.0
  orval@8.38.0
  relay-compiler@21.0.1
  typescript@5.9.3
)
dir=${CONFORMANCE_TOOLS_DIR:-${TMPDIR:-/tmp}/grounded-chat-conformance-$(id -u)}

if [ "$(cat "$dir/installed" 2>/dev/null || true)" != "${packages[*]}" ]; then
  mkdir -p "$dir"
  echo '{ "private": true }' > "$dir/package.json"
  npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent "${packages[@]}" >&2
  echo "${packages[*]}" > "$dir/installed"
fi
echo "$dir/node_modules/.bin"
