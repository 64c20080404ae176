#!/usr/bin/env bash
# Multiplies a ledger of an earlier release to 100,000 receipts (--receipts), has a server read them for the facts that
# release did not keep, kills it twice meanwhile, and compares each copy with the ledger that was not multiplied. Ends
# with 1 where a row differs, or `ledger rebuild --check` finds something.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

readonly environment=.build/backfill-venv

install_commands python3 zstd
install_python_packages "$environment" cryptography==48.0.0
PYTHONPATH=scripts:scripts/bench:scripts/interop:scripts/ledgers \
    exec "$environment/bin/python" -B scripts/check_backfill.py --binary "$binary" "$@"
