#!/usr/bin/env bash
# What request bodies cost the server at most: time of its processor, and memory. Ends with 1 where it is too much.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

install_commands python3
PYTHONPATH=scripts/bench exec python3 -B scripts/check_bodies.py "$binary"
