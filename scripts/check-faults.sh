#!/usr/bin/env bash
# Causes faults at real servers, such as a full disk, a wrong key or a clock that is behind, and prints a table: which
# alarm `quartermaster status` tells with which advice, which of the shipped alerts fires in a real Prometheus, and that
# both end once the fault is mended. Two faults need root. Arguments are parts of the names of the faults to be tried.
# Ends with 1 where a fault is not told, or is told for longer than it lasts.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

# shellcheck source=scripts/programs.sh
source scripts/programs.sh

readonly clock=.build/faults/clock.so

install_compiler
install_commands python3 openssl
prometheus=$(program prometheus prometheus)
mkdir -p "${clock%/*}"
cc -O1 -Wall -Wextra -Werror -shared -fPIC -o "$clock" scripts/faults/clock.c
PYTHONPATH=scripts/bench:scripts/faults exec python3 -B scripts/faults/check_faults.py \
    "$binary" "$prometheus" "$clock" "$@"
