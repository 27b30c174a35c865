#!/usr/bin/env bash
# Installs the servers that the tests of this package start: PostgreSQL, Ceph's S3, nginx and PgBouncer, all Debian's. Needs root.
set -euo pipefail
missing=()
[ -n "$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing+=(postgresql-15)
for program in radosgw ceph-mon ceph-osd; do command -v "$program" >/dev/null || missing+=("$program"); done
command -v ceph-authtool >/dev/null || missing+=(ceph-common)
command -v nginx >/dev/null || missing+=(nginx-light)
command -v pgbouncer >/dev/null || missing+=(pgbouncer)
command -v curl >/dev/null || missing+=(curl)
[ "${#missing[@]}" -gt 0 ] || exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}"
