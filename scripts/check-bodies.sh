#!/usr/bin/env bash
# What request bodies cost the server at most: time of its processor, and memory. Ends with 1 where it is too much.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_commands python3
PYTHONPATH=scripts/bench exec python3 -B scripts/check_bodies.py "$binary"
