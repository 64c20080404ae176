#!/usr/bin/env bash
# Builds the reference of the libraries, .build/docc/MODULE/, by the toolchain's docc from their doc comments and the pages
# in Sources/MODULE/Documentation.docc. A warning, such as a link to a symbol that is not there, ends it with 1, and so does
# Swift code of a page that does not compile. To read it: python3 -m http.server --directory .build/docc
# Then it checks the doc comments of every target but tests, down to internal symbols. A link to a symbol of another module
# is ``/Module/Symbol``; ``Module/Symbol`` is what the module itself adds to the other one.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly task=docc
# What a module names of another one before it in this list becomes a link to its reference.
readonly modules=(InAppPurchase StoreClient AppStore)
readonly graphs=.build/symbol-graphs output=.build/docc checked=.build/docc-check

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

tools=$(dirname "$(realpath "$(command -v swift)")")
for tool in docc swift-symbolgraph-extract; do
    [[ -x $tools/$tool ]] || fail "$tools has no $tool: the toolchain is not complete"
done

swift build
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

# The targets but tests, each after those that it depends on.
list_targets() {
    swift package describe --type json | jq -r '
        [.targets[] | select(.module_type == "SwiftTarget" and .type != "test")] | map(.name) as $names | .[] |
        .name as $name | (.name, ((.target_dependencies // [])[] | select(IN($names[])))) | "\(.) \($name)"' | tsort
}

# compile_graph MODULE: its symbol graph from its sources, as the build compiles them. swift-symbolgraph-extract cannot be
# told the package, and leaves out every symbol with a type that a module has from a `package import`: half of Ledger.
compile_graph() {
    local arguments
    mapfile -t arguments < <(sed -nE "s/^    args: (\[.*\"-module-name\",\"$1\",.*\"-c\",\"@.*\])$/\1/p" .build/debug.yaml |
        jq -r 'def kept: if length == 0 then []
            elif .[0] | IN("-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path")
            then .[2:] | kept
            elif .[0] | IN("-c", "-emit-dependencies", "-emit-objc-header", "-enable-batch-mode", "-incremental",
                "-parseable-output", "-serialize-diagnostics") then .[1:] | kept
            else .[:1] + (.[1:] | kept) end; kept[]')
    ((${#arguments[@]} > 0)) || fail ".build/debug.yaml does not say how $1 is compiled"
    "${arguments[@]}" -whole-module-optimization -experimental-skip-non-inlinable-function-bodies \
        -emit-module-path "$checked/modules/$1.swiftmodule" -emit-symbol-graph -emit-symbol-graph-dir "$checked/graphs/$1" \
        -symbol-graph-minimum-access-level internal -symbol-graph-skip-synthesized-members -emit-extension-block-symbols
}

targets=$(list_targets)
rm -rf "$checked"
mkdir -p "$checked/archives" "$checked/modules"
dependencies=()
for module in $targets; do
    mkdir -p "$checked/graphs/$module"
    compile_graph "$module"
    catalog=()
    if [[ -d Sources/$module/Documentation.docc ]]; then catalog=("Sources/$module/Documentation.docc"); fi
    "$tools/docc" convert "${catalog[@]}" --additional-symbol-graph-dir "$checked/graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" --output-dir "$checked/archives/$module" \
        --no-transform-for-static-hosting --enable-experimental-external-link-support "${dependencies[@]}" \
        --disable-parameters-and-returns-validation --warnings-as-errors || fail "wrong doc comments in $module"
    dependencies+=(--dependency "$checked/archives/$module")
done
echo "docc: the doc comments of $(wc -w <<<"$targets") modules are checked"
