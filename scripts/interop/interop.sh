#!/usr/bin/env bash
# Sets this server and its simulated App Store against Apple's own library for Python: what the simulator signs and
# answers the library must understand, and what the library refuses the server must refuse. Prints what was compared and
# ends with 1 on any finding. QUARTERMASTER_BINARY names a server that is built already.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$here/../../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.
cd "$here/../.."

# The release that the expectations were written for; a newer one is a change of its own.
readonly here binary library=app-store-server-library==3.1.2
readonly environment=.build/interop-venv

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
# Kept in the build folder.
install_python_packages "$environment" "$library"
exec "$environment/bin/python" -B "$here/interop.py" --binary "$binary" "$@"
