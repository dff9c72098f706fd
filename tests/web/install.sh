#!/bin/sh
# Installs Node.js for the types of the browser client, only as root of a system that has apt-get.
set -eu
if command -v npm >/dev/null || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  exit 0
fi
echo "Installing Node.js for the tests of the browser client ..."
if ! apt-get update -qq || ! DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null; then
  echo "note: Node.js could not be installed" >&2
fi
