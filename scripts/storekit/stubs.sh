# shellcheck shell=bash
# For the checks that compile the client against declarations of Apple's frameworks.

readonly client=Sources/QuartermasterClient stubs=scripts/storekit
readonly modes=(
    -swift-version 6 -parse-as-library -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault)
# Where `swiftc -frontend` finds macros.
plugins=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host/plugins
readonly plugins

# compile_stubs FOLDER MODULE…: as Apple compiles its frameworks, so that enumerations may get cases.
compile_stubs() {
    local module
    for module in "${@:2}"; do
        swiftc "${modes[@]}" -suppress-warnings -enable-library-evolution -emit-module -module-name "$module" \
            -I "$1" -o "$1/$module.swiftmodule" "$stubs/$module"/*.swift
    done
}
