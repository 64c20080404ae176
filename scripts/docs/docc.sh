#!/usr/bin/env bash
# Builds the reference of the libraries, .build/docc/MODULE/, by the toolchain's docc from their doc comments and the pages
# in Sources/MODULE/Documentation.docc. A warning, such as a link to a symbol that is not there, ends it with 1, and so does
# Swift code of a page that does not compile. To read it: python3 -m http.server --directory .build/docc
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly task=docc
# What a module names of another one before it in this list becomes a link to its reference.
readonly modules=(InAppPurchase StoreClient AppStore)
readonly graphs=.build/symbol-graphs output=.build/docc

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

tools=$(dirname "$(realpath "$(command -v swift)")")
for tool in docc swift-symbolgraph-extract; do
    [[ -x $tools/$tool ]] || fail "$tools has no $tool: the toolchain is not complete"
done

for module in "${modules[@]}"; do
    swift build --target "$module"
done
products=$(swift build --show-bin-path)
# The libraries in C that the modules are built with.
maps=()
while IFS= read -r map; do
    maps+=(-Xcc "-fmodule-map-file=$map")
done < <(find "$PWD/.build/checkouts" -path '*/Sources/*' -name module.modulemap; find "$products" -maxdepth 2 -name module.modulemap)

check_code() {
    local page
    for page in "Sources/$1/Documentation.docc"/*.md; do
        # The blocks of a page are one file.
        awk '/^```swift$/ { inside = 1; next } /^```$/ { inside = 0; print ""; next } inside' "$page" \
            >"$graphs/$(basename "$page" .md).swift"
        if [[ -s $graphs/$(basename "$page" .md).swift ]]; then
            swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors \
                -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny \
                -enable-upcoming-feature MemberImportVisibility -I "$products/Modules" "${maps[@]}" \
                "$graphs/$(basename "$page" .md).swift" || fail "the Swift code of $page does not compile"
        fi
    done
}

rm -rf "$graphs" "$output"
mkdir -p "$graphs" "$output"
dependencies=()
for module in "${modules[@]}"; do
    mkdir "$graphs/$module"
    check_code "$module"
    "$tools/swift-symbolgraph-extract" -module-name "$module" -target "$(swift -print-target-info | jq -r .target.triple)" \
        -I "$products/Modules" "${maps[@]}" -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
        -output-dir "$graphs/$module"
    "$tools/docc" convert "Sources/$module/Documentation.docc" --additional-symbol-graph-dir "$graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" --output-dir "$output/$module" \
        --hosting-base-path "$module" --transform-for-static-hosting --enable-experimental-external-link-support \
        "${dependencies[@]}" --disable-parameters-and-returns-validation --warnings-as-errors
    dependencies+=(--dependency "$output/$module")
done
echo "docc: the reference of ${modules[*]} is in $output"
