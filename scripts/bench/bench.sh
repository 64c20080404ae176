#!/usr/bin/env bash
# Measures the server on this machine, beside nginx where nginx can do the same, and prints medians with their spread.
#   scripts/bench/bench.sh [--quick] [--json FILE] [--only NAME]...      --help has the names
# QUARTERMASTER_BINARY names a server that is built already. Ends with 1 where anything went wrong: a number with errors
# in it is no number.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

# All of the load comes from one address, and needs thousands of accounts.
export QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE=off

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

install_tools
PYTHONPATH=scripts exec python3 -B scripts/bench/bench.py --binary "$binary" --nginx "$(nginx_program)" "$@"
