#!/usr/bin/env bash
# The C compiler of the toolchain, by ccache where that is installed: BoringSSL, which two dependencies bring, is compiled
# once a machine, whichever clone needs it. SwiftPM takes this as CC (scripts/build-tests.sh).
set -euo pipefail

clang=$(dirname "$(realpath "$(command -v swift)")")/clang
command -v ccache >/dev/null || exec "$clang" "$@"
# The same file in another clone is the same: paths below the clone count from there, and the clone's own does not count.
root=$(realpath "$(dirname "$0")/..")
CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 exec ccache "$clang" "$@"
