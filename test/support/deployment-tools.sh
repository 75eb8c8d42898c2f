#!/usr/bin/env bash
# Installs what checks compose.yaml and Caddyfile from Debian's packages, as root or with sudo. Needs no Docker engine. Prints
# the name of the program for Compose (only that).
set -euo pipefail

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing=()
for tool in docker-compose caddy; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ "${#missing[@]}" -gt 0 ]; then
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install \
    "${missing[@]}" >&2
fi
echo docker-compose
