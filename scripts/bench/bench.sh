#!/usr/bin/env bash
# Measures the server on this machine, beside nginx where nginx can do the same, and prints medians with their spread.
#   scripts/bench/bench.sh [--quick] [--json FILE] [--only NAME]...      --help has the names
# QUARTERMASTER_BINARY names a server that is built already. Ends with 1 where anything went wrong: a number with errors
# in it is no number.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$here/../../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
# All of the load comes from one address, and needs thousands of accounts.
export QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE=off
cd "$here/../.."

readonly here binary

# shellcheck source=scripts/bench/tools.sh
source "$here/tools.sh"

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_tools
PYTHONPATH=scripts exec python3 -B "$here/bench.py" --binary "$binary" --nginx "$(nginx_program)" "$@"
