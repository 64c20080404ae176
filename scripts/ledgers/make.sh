#!/usr/bin/env bash
# Makes a ledger of an earlier release for the tests: scripts/ledgers/make.py tells what and how.
set -euo pipefail
# A setting of the operator's own server must not reach the one that makes it.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
cd "$(dirname "$0")/../.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install_commands python3 openssl zstd
PYTHONPATH=scripts:scripts/bench:scripts/ledgers exec python3 -B scripts/ledgers/make.py "$@"
