#!/usr/bin/env bash
# Has a real nginx, set up as examples/nginx says, send what Quartermaster lets it send ("delivery": "accel"), under TLS.
# Ends with 1 where a client would see a difference to what Quartermaster sends by itself, or is taken for another one.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

install_commands python3 openssl curl
nginx_program >/dev/null || unpack_nginx
PYTHONPATH=scripts/bench exec python3 -B scripts/check_nginx.py "$binary" "$(nginx_program)"
