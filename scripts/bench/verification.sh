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

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

[[ -x $binary ]] || fail "no program at $binary; build it with: make bench-verification"
install_commands python3 openssl
install_python_packages "$environment" "$library"
exec python3 -B "$here/verification.py" --binary "$binary" --python "$PWD/$environment/bin/python" "$@"
