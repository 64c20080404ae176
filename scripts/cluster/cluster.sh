#!/usr/bin/env bash
# Several servers on one PostgreSQL behind nginx, killed and cut off while players send their receipts. Ends with 1 where
# anything that was acknowledged is lost, or anything is given twice.
#   scripts/cluster/cluster.sh [--receipts N] [--accounts N] [--seed N]
# QUARTERMASTER_BINARY names a server that is built already.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../../.build/release/quartermaster}")
# A setting of the operator's own server must not reach these.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/../.."

readonly binary

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_tools
scripts/object-store/tools.sh
PYTHONPATH=scripts/bench:scripts/cluster exec python3 -B scripts/cluster/cluster.py \
    --binary "$binary" --nginx "$(nginx_program)" "$@"
