#!/bin/sh
# Installs Chromium where pages can be tested in no browser yet, and only as root of a system that
# has apt-get: a container or a machine for tests. Elsewhere chromium.py says what is missing.
set -eu
if [ -n "${PLYBOARD_BROWSER:-}" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  exit 0
fi
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
echo "Installing Chromium for the tests of pages ..."
if ! apt-get update -qq || ! DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends chromium >/dev/null; then
  echo "note: Chromium could not be installed" >&2
fi
