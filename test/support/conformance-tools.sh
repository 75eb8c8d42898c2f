#!/usr/bin/env bash
# Installs what test/processes/*conformance.test.ts run: the linters, generators of clients, Relay's compiler, MCP's conformance
# tools, LangChain and Vercel's AI SDK; prints the folder of their programs (only that) on stdout:
#   CONFORMANCE_TOOLS=$(bash test/support/conformance-tools.sh) npm run vitest -- run test/processes/conformance.test.ts
# Not dependencies of the project, because they are 700 packages of 450 MB that only these tests need.
set -euo pipefail

packages=(
  @redocly/cli@2.77.0
  @stoplight/spectral-cli@6.16.3
  @hey-api/openapi-ts@0.99.0
  orval@8.38.0
  relay-compiler@21.0.1
  @modelcontextprotocol/conformance@0.2.0-alpha.12 # the release has no scenarios of revision 2026-07-28
  @modelcontextprotocol/inspector@2.12.0
  @langchain/openai@1.6.0
  @langchain/core@1.4.0
  ai@7.0.173
  @ai-sdk/openai-compatible@3.0.92
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
