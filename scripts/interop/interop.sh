#!/usr/bin/env bash
# Sets this server and its simulated App Store against Apple's own library for Python: what the simulator signs and
# answers the library must understand, and what the library refuses the server must refuse. Prints what was compared and
# ends with 1 on any finding. QUARTERMASTER_BINARY names a server that is built already.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath -m -- "${QUARTERMASTER_BINARY:-$here/../../.build/release/quartermaster}")
# A setting of the operator's own server must not reach this one.
for setting in "${!QUARTERMASTER_@}"; do unset "$setting"; done
cd "$here/../.."

# The release that the expectations were written for; a newer one is a change of its own.
readonly here binary library=app-store-server-library==3.1.2 install_within=300 # seconds
readonly environment=.build/interop-venv

fail() {
    printf 'interop: %s\n' "$1" >&2
    exit 1
}

as_root() {
    if ((EUID == 0)); then
        "$@"
    else
        command -v sudo >/dev/null || fail "this needs root: $*"
        sudo "$@"
    fi
}

install_python() {
    command -v apt-get >/dev/null || fail 'missing: python3 with venv. Install it, then try again'
    echo 'interop: installing python3-venv' >&2
    as_root apt-get update -qq >&2 || fail 'apt-get update failed; missing: python3-venv'
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2 ||
        fail 'apt-get could not install python3-venv'
}

# The packages are kept in the build folder; a second run with the same release needs no network.
install_library() {
    if [[ -e $environment/$library ]]; then return; fi
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_python
    echo "interop: installing $library into $environment" >&2
    python3 -m venv --clear "$environment" || fail "python3 could not make $environment"
    timeout "$install_within" "$environment/bin/pip" install --quiet --disable-pip-version-check "$library" ||
        fail "pip could not install $library"
    touch "$environment/$library"
}

[[ -x $binary ]] || fail "no server at $binary; build it with: make build"
install_library
exec "$environment/bin/python" -B "$here/interop.py" --binary "$binary" "$@"
