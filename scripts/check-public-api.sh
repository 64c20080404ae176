#!/usr/bin/env bash
# Compares what the client library and the libraries for plugins and receipts declare public with the lines that
# scripts/symbols/public-api keeps, or with --write writes them. What is removed or changed is not written before
# CHANGELOG.md names it; and the lines have to be true.
# The sources are read as they are, in seconds, so that no older build is taken for them; only what others made must be
# built. The client is read as on Apple's systems, against the declarations in scripts/storekit.
# What it cannot see: what is public on Linux or one of Apple's systems alone, and values of raw cases and constants.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly task=public-api
# What AppStore declares is partly that of StoreClient, which is in the same product.
readonly libraries=(InAppPurchase StoreClient AppStore)

# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/storekit/stubs.sh
source scripts/storekit/stubs.sh

folder=$(mktemp -d "${TMPDIR:-/tmp}/quartermaster-public-api.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/client" "$folder/libraries" "$folder/graphs"
readonly folder

# find_products: the folder with the modules of the packages that AppStore needs, of any build that there is.
find_products() {
    local each
    for each in .build/optimized/release .build/debug .build/release; do
        if [[ -e $each/Modules/AppStore.swiftmodule ]]; then
            products=$each
            return
        fi
    done
    CC=$PWD/scripts/cc.sh swift build --target AppStore >&2
    products=.build/debug
}

# read_module MODULE FOLDER [OPTION…]: its symbol graph, and the module itself into the folder, for others.
read_module() {
    local files
    mapfile -t files < <(find "Sources/$1" -name '*.swift')
    swiftc -frontend -emit-module "${modes[@]}" -module-name "$1" -package-name quartermaster \
        -experimental-skip-all-function-bodies -plugin-path "$plugins" -I "$2" -o "$2/$1.swiftmodule" \
        -emit-symbol-graph -emit-symbol-graph-dir "$folder/graphs" -symbol-graph-minimum-access-level public \
        -symbol-graph-skip-synthesized-members "${@:3}" "${files[@]}"
}

install_commands python3
compile_stubs "$folder/client" StoreKit Security SwiftUI Network CryptoKit ObjectiveC AppleFoundation
read_module QuartermasterClient "$folder/client" -import-module AppleFoundation -import-module ObjectiveC

find_products
options=(-I "$products/Modules")
while IFS= read -r map; do
    options+=(-Xcc "-fmodule-map-file=$map")
done < <(find "$(dirname "$products")/checkouts" -path '*/Sources/*' -name module.modulemap
    find "$products/" -maxdepth 2 -name module.modulemap)
for module in StrictJSON Basics "${libraries[@]}"; do
    read_module "$module" "$folder/libraries" "${options[@]}"
done
PYTHONPATH=scripts/bench:scripts/symbols python3 -B scripts/symbols/check_public_api.py "$folder/graphs" "$@" \
    QuartermasterClient "${libraries[@]}"
