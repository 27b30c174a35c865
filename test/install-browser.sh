#!/usr/bin/env bash
# Installs the browser in which test/ui.test.ts looks at the explorer: Debian's chromium. Needs root.
set -euo pipefail
[ ! -x "${YORE_CHROMIUM:-/usr/bin/chromium}" ] || exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 chromium fonts-dejavu-core
