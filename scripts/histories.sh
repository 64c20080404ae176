#!/usr/bin/env bash
# Compares what the ledger answers and stores with the fold of all purchases, as `ledger rebuild --check` does, over
# HISTORIES (20,000) random histories with refunds, transfers, resets and changes of the catalog. Ends with 1 for any
# difference.
#
# The tests of the ledger alone are built, optimised, in .build/histories: unoptimised they would take half a day.
set -euo pipefail

cd "$(dirname "$0")/.."

readonly build=.build/histories
readonly histories=${HISTORIES:-20000}

ONLY_TESTS=LedgerTests swift build -c release -Xswiftc -enable-testing --product quartermasterPackageTests \
    --scratch-path "$build"
export QUARTERMASTER_STANDING_HISTORIES=$histories NO_COLOR=1
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TESTS_AT_ONCE:-4}
"$build/release/quartermasterPackageTests.xctest" --testing-library swift-testing \
    --filter StandingHistoryTests.isAsAllPurchasesSay
