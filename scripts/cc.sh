#!/usr/bin/env bash
# The C compiler of the toolchain, by ccache where that is installed: BoringSSL, which two dependencies bring, is compiled
# once a machine, whichever clone needs it. SwiftPM takes this as CC (scripts/build-tests.sh).
set -euo pipefail

clang=$(dirname "$(realpath "$(command -v swift)")")/clang
# ccache does not look into what #embed reads: with it, a server would serve an earlier description.
if [[ "$*" == */CDescriptions.c* ]] || ! command -v ccache >/dev/null; then exec "$clang" "$@"; fi
# The same file in another clone is the same: paths below the clone count from there, and the clone's own does not count.
root=$(realpath "$(dirname "$0")/..")
CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 exec ccache "$clang" "$@"
