#!/usr/bin/env bash
# Counts the instructions that the server executes for each request, and compares them with those of
# scripts/bench/instructions.json: these counts hardly change from run to run, however busy the machine is.
#   scripts/bench/instructions.sh [--histories] [--write] [--profiles FOLDER] [NAME]...      --help has the names
# QUARTERMASTER_BINARY names a server that is built already. Ends with 1 where a count is too high.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

# Every receipt is the first of its account.
export QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE=off

install_compiler
install_commands python3 openssl valgrind strip:binutils readelf:binutils
PYTHONPATH=scripts exec python3 -B scripts/bench/instructions.py --binary "$binary" "$@"
