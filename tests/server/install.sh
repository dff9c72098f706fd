#!/bin/sh
# Installs PostgreSQL and strace for the tests of the store, and only as root of a system that has
# apt-get: a container or a machine for tests. Elsewhere postgres.py says what is missing.
set -eu
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  exit 0
fi
if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null; then
  if command -v strace >/dev/null; then exit 0; fi
fi
echo "Installing PostgreSQL and strace for the tests of the store ..."
# The tests start servers of their own: the usual one is not needed.
mkdir -p /etc/postgresql-common
test -e /etc/postgresql-common/createcluster.conf ||
  echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
if ! apt-get update -qq || ! DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends postgresql strace >/dev/null; then
  echo "note: PostgreSQL and strace could not be installed" >&2
fi
