#!/usr/bin/env bash
# Fails for what the client uses and the oldest systems that the manifest names do not have: the compiler on Linux does
# not look at that. For each system the sources are type-checked as there, whatever is inside of #if, against the
# declarations in scripts/storekit; scripts/symbols/availability.py judges each symbol and type.
# The systems come from the toolchain for what is in Swift's own libraries and FoundationEssentials, from scripts/storekit
# for Apple's frameworks, and from scripts/symbols/apple.txt for the rest of Foundation, Dispatch and C.
# The client's privacy manifest has to name a reason for each symbol for which Apple wants one.
# What it cannot see: conformances that came later than their type, and defaults of arguments.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh
# shellcheck source=scripts/storekit/stubs.sh
source scripts/storekit/stubs.sh

# Foundation brings the last three along on Apple's systems.
readonly frameworks=(StoreKit Security CryptoKit Network Darwin ObjectiveC AppleFoundation)
readonly not_on_apple='FoundationNetworking|Glibc|Musl'
readonly toolchain=(Swift _Concurrency _StringProcessing Observation FoundationEssentials)

folder=$(mktemp -d "${TMPDIR:-/tmp}/quartermaster-availability.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/modules" "$folder/graphs" "$folder/dumps"
readonly folder

# extract_graphs MODULE…: their declarations with the systems that have them.
extract_graphs() {
    local module target
    target=$(swiftc -print-target-info | jq --raw-output .target.triple)
    for module in "$@"; do
        swift-symbolgraph-extract -module-name "$module" -target "$target" -I "$folder/modules" \
            -output-dir "$folder/graphs" -minimum-access-level public -skip-synthesized-members
    done
}

# as_on SYSTEM: a copy of the client whose conditions are those of that system.
as_on() {
    local copy=$folder/client/$1
    mkdir -p "$folder/client" && cp -R "$client" "$copy"
    find "$copy" -name '*.swift' -exec sed -i -E '/^ *#(if|elseif)/ {
        s/\bos\(([A-Za-z]+)\)/SYSTEM_\1/g
        s/\bcanImport\(('"$not_on_apple"')\)/NOT_ON_APPLE/g
    }' {} +
}

# expect_declarations: of each module whose presence the client asks for, since what depends on it is not seen otherwise.
expect_declarations() {
    local module
    while IFS= read -r module; do
        [[ $module =~ ^($not_on_apple)$ || " ${frameworks[*]} " == *" $module "* ]] ||
            fail "no declarations of $module in $stubs: what is inside of #if canImport($module) would not be looked at"
    done < <(grep -rhoE 'canImport\(\w+' --include='*.swift' "$client" | cut -d '(' -f 2 | sort -u)
}

# dump SYSTEM: what the compiler makes of each file, as JSON.
dump() {
    local file arguments=()
    while IFS= read -r file; do
        mkdir -p "$folder/dumps/$1/$(dirname "$file")"
        arguments+=(-primary-file "$folder/client/$1/$file" -o "$folder/dumps/$1/$file.json")
    done < <(cd "$folder/client/$1" && find . -name '*.swift')
    swiftc -frontend -dump-ast -dump-ast-format json "${modes[@]}" -warnings-as-errors -D "SYSTEM_$1" \
        -module-name QuartermasterClient -package-name quartermaster -I "$folder/modules" -plugin-path "$plugins" \
        -import-module FoundationNetworking -import-module Darwin -import-module ObjectiveC \
        -import-module AppleFoundation "${arguments[@]}"
}

install_commands jq python3
mapfile -t systems < <(grep -m 1 'platforms: \[' Package.swift | grep -oE '\.[A-Za-z]+\(\.' | tr -d '.(')
expect_declarations
compile_stubs "$folder/modules" "${frameworks[@]}"
extract_graphs "${toolchain[@]}" "${frameworks[@]}"
for system in "${systems[@]}"; do
    as_on "$system"
    dump "$system"
done
PYTHONPATH=scripts/bench:scripts/symbols python3 -B scripts/symbols/availability.py "$folder" "${systems[@]}"
