#!/usr/bin/env bash
# Installs what the Python client needs at run time, for its tests and to be packed, from Debian's packages, as root or with
# sudo, and prints the path of Debian's Python (only that):
#   PYTHON_HTTPX=$(bash test/support/python-httpx.sh) npm run vitest -- run test/processes/python-client.test.ts
# Unlike python-tools.sh, needs no PyPI. Its versions are the oldest that the client supports.
set -euo pipefail

python=/usr/bin/python3
packages=(python3-httpx python3-typing-extensions python3-pytest python3-hatchling)

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

if ! "$python" -c 'import hatchling, httpx, pytest, typing_extensions' 2>/dev/null; then
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install \
    "${packages[@]}" >&2
fi
echo "$python"
