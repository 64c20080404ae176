#!/usr/bin/env bash
# Sends 200 MB of what is no receipt, or a forged one, from 20 accounts to a fresh server with its defaults. Ends with 1
# where its ledger, a SQLite file, grew by more than 5 MB.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

install_commands python3
PYTHONPATH=scripts/bench exec python3 -B scripts/check_garbage.py "$binary"
