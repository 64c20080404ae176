#!/usr/bin/env bash
# Sets this server and its simulated App Store against Apple's own library for Python: what the simulator signs and
# answers the library must understand, and what the library refuses the server must refuse. Prints what was compared and
# ends with 1 on any finding. QUARTERMASTER_BINARY names a server that is built already.
set -euo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/../server.sh"

# The release that the expectations were written for; a newer one is a change of its own.
readonly library=app-store-server-library==3.1.2
readonly environment=.build/interop-venv

# Kept in the build folder.
install_python_packages "$environment" "$library"
PYTHONPATH=scripts/bench exec "$environment/bin/python" -B scripts/interop/interop.py --binary "$binary" "$@"
