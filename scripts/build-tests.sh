#!/usr/bin/env bash
# Builds tests and the programs that they start. Arguments are those of swift build.
#
# Every test, in .build/optimized/release: what is tested as it is released, but with its assertions and with the checks
# of exclusive access, and the tests themselves as for debugging. CI uses the server that is built with them for its
# other checks. Or, with ONLY='TARGET …', these test targets in .build/debug, where a build after a change takes seconds
# and the tests take twice as long.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -z ${ONLY:-} ]]; then
    # The index is what make check-unused reads; a stack is read by names, so that nobody needs the debug information.
    CC=$PWD/scripts/cc.sh exec swift build --build-tests --scratch-path .build/optimized -c release \
        -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug --enable-index-store \
        -debug-info-format none "$@"
fi

what=(--product quartermasterPackageTests)
for target in $ONLY; do
    [[ -d Tests/$target ]] || { echo "build-tests: no test target $target; there are:" Tests/*Tests >&2; exit 1; }
    # With the programs, which are everything else that can be built.
    if grep --quiet --recursive ProgramProcess "Tests/$target"; then what=(--build-tests); fi
done
ONLY_TESTS=$ONLY exec swift build "${what[@]}" "$@"
