#!/usr/bin/env bash
# Installs what checks compose.yaml, Caddyfile and deploy from Debian's packages, as root or with sudo. Needs no Docker
# engine. Prints the name of the program for Compose (only that).
set -euo pipefail

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing=()
require() { command -v "$1" >/dev/null || missing+=("$2"); }
require docker-compose docker-compose
require caddy caddy
require nginx nginx-light
require openssl openssl
require prometheus prometheus
require systemd-analyze systemd
if [ "${#missing[@]}" -gt 0 ]; then
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  # RUNLEVEL=1: the packages of nginx, Caddy and Prometheus start no service.
  as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install \
    "${missing[@]}" >&2
fi
echo docker-compose
