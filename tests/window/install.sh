#!/bin/sh
# Installs Xvfb and xdotool where windows cannot be tested yet, and only as root of a system that has
# apt-get: a container or a machine for tests. Elsewhere virtual_display.py says what is missing.
set -eu
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  exit 0
fi
if command -v Xvfb >/dev/null && command -v xdotool >/dev/null; then exit 0; fi
echo "Installing Xvfb and xdotool for the tests of windows ..."
if ! apt-get update -qq || ! DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends xvfb xdotool >/dev/null; then
  echo "note: Xvfb and xdotool could not be installed" >&2
fi
