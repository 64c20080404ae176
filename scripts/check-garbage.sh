#!/usr/bin/env bash
# Sends 200 MB of what is no receipt, or a forged one, from 20 accounts to a fresh server with its defaults. Ends with 1
# where its ledger, a SQLite file, grew by more than 5 MB.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/.."

readonly binary

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3
PYTHONPATH=scripts/bench exec python3 -B scripts/check_garbage.py --binary "$binary"
