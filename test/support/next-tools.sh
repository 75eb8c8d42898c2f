#!/usr/bin/env bash
# Installs what the Next.js example needs from npm, and prints the folder (only that) on stdout:
#   NEXT_TOOLS=$(bash test/support/next-tools.sh) npm run vitest -- run test/dashboard/next-example.test.ts
# Not dependencies of the project, because they are 340 MB that only this test needs.
set -euo pipefail

packages=(next@16.4.6 react@19.3.0 react-dom@19.3.0 typescript@5.9.3 @types/node@22.20.5 @types/react@19.3.0)
dir=${NEXT_TOOLS_DIR:-${TMPDIR:-/tmp}/grounded-chat-next-$(id -u)}

if [ "$(cat "$dir/installed" 2>/dev/null || true)" != "${packages[*]}" ]; then
  mkdir -p "$dir"
  echo '{ "private": true }' > "$dir/package.json"
  npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent "${packages[@]}" >&2
  echo "${packages[*]}" > "$dir/installed"
fi
echo "$dir"
