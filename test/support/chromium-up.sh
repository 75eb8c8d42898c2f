#!/usr/bin/env bash
# Finds a Chromium for the dashboard tests and prints only its path on stdout:
#   CHROMIUM_PATH=$(test/support/chromium-up.sh) npm run vitest test/dashboard
# On Debian and Ubuntu, installs Chromium if missing, as root or with sudo. Safe to run again.
set -euo pipefail

log() { echo "chromium-up: $*" >&2; }
fail() { log "$*"; exit 1; }

find_chromium() {
  local path
  for path in "${CHROMIUM_PATH:-}" chromium chromium-browser google-chrome \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
    [ -n "$path" ] && command -v "$path" && return
  done
  return 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
install_chromium() {
  command -v apt-get >/dev/null || fail 'no Chromium found. Install one, or set CHROMIUM_PATH'
  [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || fail 'no Chromium found, and installing needs root: apt-get install chromium'
  log 'installing chromium'
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install \
    chromium fonts-liberation >&2
}

find_chromium || { install_chromium; find_chromium || fail 'failed to install chromium'; }
