#!/usr/bin/env bash
# Has a real nginx and a real Caddy in front, under TLS, as examples/nginx and examples/caddy say; nginx sends what
# Quartermaster lets it send ("delivery": "accel"). Ends with 1 where a client would see a difference to what
# Quartermaster sends by itself, is taken for another one, or is kept from a file of a large version.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

install_commands python3 openssl curl
nginx=$(nginx_program)
caddy=$(program caddy caddy)
PYTHONPATH=scripts/bench exec python3 -B scripts/check_nginx.py "$binary" "$nginx" "$caddy"
