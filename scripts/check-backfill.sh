#!/usr/bin/env bash
# Multiplies a ledger of an earlier release to 100,000 receipts (--receipts), has a server read them for the facts that
# release did not keep, kills it twice meanwhile, and compares each copy with the ledger that was not multiplied. Ends
# with 1 where a row differs, or `ledger rebuild --check` finds something.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
cd "$(dirname "$0")/.."

readonly binary environment=.build/backfill-venv

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3 zstd
install_python_packages "$environment" cryptography==48.0.0
PYTHONPATH=scripts:scripts/bench:scripts/interop:scripts/ledgers \
    exec "$environment/bin/python" -B scripts/check_backfill.py --binary "$binary" "$@"
