#!/usr/bin/env bash
# Has a real nginx, set up as examples/nginx says, send what Quartermaster lets it send ("delivery": "accel"), under TLS.
# Ends with 1 where a client would see a difference to what Quartermaster sends by itself, or is taken for another one.
set -euo pipefail

binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$(dirname "$0")/../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$(dirname "$0")/.."

readonly binary

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_commands python3 openssl curl
nginx_program >/dev/null || unpack_nginx
PYTHONPATH=scripts/bench exec python3 -B scripts/check_nginx.py "$binary" "$(nginx_program)"
