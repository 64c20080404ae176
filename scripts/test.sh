#!/usr/bin/env bash
# Builds and runs every test, and says again at the end which failed and why: a thousand lines come after the first
# failure. The arguments are those of `swift build`.
#
# ONLY='TARGET …' builds and runs these test targets alone; scripts/build-tests.sh says how. FILTER, a regular expression,
# runs the suites whose names match it, Target.Suite/; it fails where no test ran. SEED (0) is what all random histories begin with.
# TESTS_BUILT=1 runs those that are built already. EVENTS names a file for the events of the run.
set -euo pipefail
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.

cd "$(dirname "$0")/.."

# All tests at once wait for one another until their deadlines are over, with a thousand of them on two cores.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TESTS_AT_ONCE:-16}
# Foundation's `Process` reads 256 bytes past the end of its list of open files, which crashes at the end of a thread's
# own memory; there is always more behind it in that which all share.
export GLIBC_TUNABLES=glibc.malloc.arena_max=1

# For each error that is thrown Swift Testing would walk the stack, which was a fifth of the processor time of the tests;
# it shows the walk of those only that end a test.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0

# Swift Testing writes colours into pipes, too, and the log is searched below.
export NO_COLOR=1

export SEED=${SEED:-0}

readonly log=.build/test.log built=$([[ ${ONLY:-} ]] && echo .build/debug || echo .build/optimized/release)
declare -a options=()
if [[ ${FILTER:-} ]]; then options+=(--filter "$FILTER"); fi
if [[ ${EVENTS:-} ]]; then options+=(--event-stream-output-path "$EVENTS" --event-stream-version 0); fi

[[ ${TESTS_BUILT:-} == 1 ]] || scripts/build-tests.sh "$@"
# Suites that start the programs are skipped without them, and nobody would see it.
for program in quartermaster hangman; do
    [[ ${ONLY:-} || -x $built/$program ]] || { echo "test: $built/$program was not built" >&2; exit 1; }
done
status=0
echo "test: SEED=$SEED"
# Run directly: `swift test` would wait for any other build in this folder to end.
"$built/quartermasterPackageTests.xctest" --testing-library swift-testing "${options[@]}" 2>&1 | tee "$log" || status=$?
if ((status != 0)); then
    printf '\n== what failed\n'
    grep --text --no-group-separator --after-context=4 '^✘\|^Fatal error\|error:' "$log" |
        grep --text --invert-match '^✔\|^◇' || true
fi
# Swift Testing ends with 69 where a filter matches nothing, and with 0 where it skips all that match.
if ((status == 0 || status == 69)) &&
    ! awk '/^✔ Test / && !/^✔ Test run with / { ran = 1 } END { exit !ran }' "$log"; then
    echo "test: no test ran${FILTER:+: FILTER=$FILTER}${ONLY:+, ONLY=$ONLY}" >&2
    exit 1
fi
exit "$status"
