#!/usr/bin/env bash
# Measures what the verification of signed data costs, beside openssl and Apple's library for Python.
#   scripts/bench/verification.sh [--quick] [--json FILE]
# Needs .build/release/verification-bench, or VERIFICATION_BENCH names another one. Installs what is lacking.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath -m -- "${VERIFICATION_BENCH:-$here/../../.build/release/verification-bench}")
cd "$here/../.."

readonly here binary
readonly environment=.build/bench-tools/python
readonly library=app-store-server-library==3.1.2

# shellcheck source=scripts/bench/tools.sh
source "$here/tools.sh"

# Debian brings the module venv in a package of its own, without which no environment can be made.
lacking_tools() {
    if ! command -v openssl >/dev/null; then echo openssl; fi
    if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then echo python3-venv; fi
}

install_library() {
    "$environment/bin/python" -c 'import appstoreserverlibrary' 2>/dev/null && return
    echo "bench: installing $library into $environment" >&2
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check "$library"
}

[[ -x $binary ]] || fail "no program at $binary; build it with: swift build -c release --product verification-bench"
install_packages
install_library
exec python3 -B "$here/verification.py" --binary "$binary" --python "$PWD/$environment/bin/python" "$@"
