#!/usr/bin/env bash
# Counts the commands from an empty folder to a pack that is delivered, those that docs/start.md begins with, and plays
# them. Ends with 1 if they are more than five, or one fails.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

unset QUARTERMASTER_CONFIG # The commands find the settings that the first of them makes.
install_commands python3 curl jq
PYTHONPATH=scripts/bench exec python3 -B scripts/docs/newcomer.py --binary "$binary"
