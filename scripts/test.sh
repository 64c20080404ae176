#!/usr/bin/env bash
# Runs every test, and says again at the end which failed and why: a thousand lines come after the first failure. The
# arguments are those of `swift test`.
set -euo pipefail
export QUARTERMASTER_CONFIG= # What `make run` wrote here is for people, and not for this.

cd "$(dirname "$0")/.."

# All tests at once wait for one another until their deadlines are over, with a thousand of them on two cores.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TESTS_AT_ONCE:-16}
# Foundation's `Process` reads 256 bytes past the end of its list of open files, which crashes at the end of a thread's
# own memory; there is always more behind it in that which all share.
export GLIBC_TUNABLES=glibc.malloc.arena_max=1

readonly log=.build/test.log

mkdir -p .build
status=0
swift test "$@" 2>&1 | tee "$log" || status=$?
if ((status != 0)); then
    printf '\n== what failed\n'
    grep --text --no-group-separator --after-context=4 '^✘\|^Fatal error\|error:' "$log" |
        grep --text --invert-match '^✔\|^◇' || true
fi
exit "$status"
