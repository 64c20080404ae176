#!/usr/bin/env bash
# Several servers on one PostgreSQL behind nginx, killed and cut off while players send their receipts. Ends with 1 where
# anything that was acknowledged is lost, or anything is given twice.
#   scripts/cluster/cluster.sh [--receipts N] [--accounts N] [--seed N]
# QUARTERMASTER_BINARY names a server that is built already.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

# shellcheck source=scripts/bench/tools.sh
source scripts/bench/tools.sh

install_tools
scripts/object-store/tools.sh
PYTHONPATH=scripts/bench:scripts/cluster exec python3 -B scripts/cluster/cluster.py \
    --binary "$binary" --nginx "$(nginx_program)" "$@"
