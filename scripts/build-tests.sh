#!/usr/bin/env bash
# Builds every test and the programs that they start, for debugging: .build/debug. Arguments are those of swift build.
#
# OPTIMIZED=1 builds in .build/optimized/release what is tested as it is released, but with its assertions and with the
# checks of exclusive access, and the tests themselves as for debugging. Each build after a change takes longer; the
# tests take less time, and .ci/run uses the server that is built with them for its other checks.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -a configuration=()
if [[ ${OPTIMIZED:-} == 1 ]]; then
    # The index is what make check-unused reads.
    configuration=(--scratch-path .build/optimized -c release -Xswiftc -enable-testing --enable-index-store
        -Xswiftc -assert-config -Xswiftc Debug)
fi

swift build --build-tests "${configuration[@]}" "$@"
