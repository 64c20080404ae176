#!/usr/bin/env bash
# Builds the server, optimised, and strips it: .build/release/quartermaster, about half as large. The debug information is
# in .build/release/quartermaster.debug, where gdb, lldb and perf look for it. Arguments are those of swift build. Fails if
# what is left is larger than images and downloads of it should be.
#
# quartermaster.debug is the program as the linker wrote it. It gets its name back while SwiftPM looks at it, which
# would otherwise link again each time because the file is not the one that it knows.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly release=.build/release
readonly program=$release/quartermaster
readonly maximum_megabytes=120

is_stripped() { [[ $(readelf --section-headers --wide "$1") == *' .gnu_debuglink '* ]]; }

strip_program() {
    if [[ ! -e $program ]] || is_stripped "$program"; then return; fi
    mv -f "$program" "$program.debug"
    # Of this link already, where SwiftPM had nothing to do.
    if [[ ! $program.stripped -nt $program.debug ]]; then
        objcopy --strip-all --add-gnu-debuglink="$program.debug" "$program.debug" "$program.new"
        mv -f "$program.new" "$program.stripped"
    fi
    mv -f "$program.stripped" "$program"
}

check_size() {
    local bytes
    bytes=$(stat --format=%s "$1")
    if ((bytes > maximum_megabytes * 1000 * 1000)); then
        echo "$1: $bytes bytes, and $maximum_megabytes MB are allowed" >&2
        return 1
    fi
}

finish() {
    local status=$?
    strip_program
    if ((status == 0)); then check_size "$program" || exit 1; fi
}

# The tests run with the checks of exclusive access; here they were an eighth of what a small response costs.
build() {
    swift build -c release --product quartermaster --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked "$@"
}

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

# Elsewhere than on Linux the tools of the linker do this.
if [[ $(uname) != Linux ]]; then
    build "$@"
    exit
fi

install_commands objcopy:binutils readelf:binutils flock:util-linux
mkdir -p .build
exec 9>.build/build.sh.lock
flock 9 # Two of them would exchange the files under each other.
if [[ -e $program && -e $program.debug ]] && is_stripped "$program"; then
    mv -f "$program" "$program.stripped"
    mv -f "$program.debug" "$program"
fi
# Also where the build fails: the program of before stays what it was.
trap finish EXIT
# SwiftPM's children must not hold the lock.
build "$@" 9>&-
