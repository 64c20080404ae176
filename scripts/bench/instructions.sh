#!/usr/bin/env bash
# Counts the instructions that the server executes for each request, and compares them with those of
# scripts/bench/instructions.json: these counts hardly change from run to run, however busy the machine is.
#   scripts/bench/instructions.sh [--histories] [--write] [--profiles FOLDER] [NAME]...      --help has the names
# QUARTERMASTER_BINARY names a server that is built already. Ends with 1 where a count is too high.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$here/../../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
# Every receipt is the first of its account.
export QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE=off
cd "$here/../.."

readonly here binary

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_compiler
install_commands python3 openssl valgrind strip:binutils readelf:binutils
PYTHONPATH=scripts exec python3 -B "$here/instructions.py" --binary "$binary" "$@"
