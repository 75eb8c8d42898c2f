#!/usr/bin/env bash
# Installs what the tests of the Python client need into a virtual environment, and prints the path of its Python (only that):
#   PYTHON_TOOLS=$(bash test/support/python-tools.sh) npm run vitest -- run test/processes/python-client.test.ts
# Needs Python 3.9 or later and PyPI. On Debian without `venv`, installs it, as root or with sudo.
set -euo pipefail

packages=(httpx==0.28.1 typing-extensions==4.16.0 pytest==9.1.1 mypy==2.4.0 openai==3.22.1)
dir=${PYTHON_TOOLS_DIR:-${TMPDIR:-/tmp}/grounded-chat-python-$(id -u)}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
install_venv() {
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update >&2 &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install \
      python3-venv >&2
}

if [ "$(cat "$dir/installed" 2>/dev/null || true)" != "${packages[*]}" ]; then
  rm -rf "$dir"
  python3 -m venv "$dir" >&2 || { install_venv && python3 -m venv --clear "$dir" >&2; }
  "$dir/bin/pip" install --quiet --retries 0 --disable-pip-version-check "${packages[@]}" >&2
  echo "${packages[*]}" > "$dir/installed"
fi
echo "$dir/bin/python"
