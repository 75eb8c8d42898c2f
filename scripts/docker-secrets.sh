#!/usr/bin/env bash
# Writes the secrets of compose.yaml to .env, which only you can read. Keeps secrets and settings that .env already has.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

umask 077
touch .env
chmod 600 .env
[ -z "$(tail -c 1 .env)" ] || echo >> .env
for name in POSTGRES_PASSWORD JWT_SECRET; do
  grep -q "^$name=." .env || echo "$name=$(openssl rand -hex 32)" >> .env
done
