#!/usr/bin/env bash
# Type-checks QuartermasterClient as on Apple's platforms: against declarations of StoreKit as its documentation has them
# (scripts/storekit), in Swift 6 mode. Then misspells one member after the other in a copy, and expects an error for each.
# The Swift of the pages about the client is type-checked against both, and so is the app in examples/HangmanApp.
# What it cannot see: whether a declaration is there in the oldest system that the package supports, which
# scripts/check-availability.sh looks at; and what StoreKit does.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/packages.sh
source scripts/packages.sh

# shellcheck source=scripts/storekit/stubs.sh
source scripts/storekit/stubs.sh

readonly misspelt=(
    .appAccountToken .sync .unsafePayloadValue .userCancelled .winBackOffer .canMakePayments kSecAttrSynchronizable
    kSecAttrAccessGroup .background .sessionSendsLaunchEvents .downloadTaskResumeData)

# Foundation brings them along on Apple's systems.
readonly brought=(-Xfrontend -import-module -Xfrontend AppleFoundation -Xfrontend -import-module -Xfrontend ObjectiveC)

folder=$(mktemp -d "${TMPDIR:-/tmp}/quartermaster-storekit.XXXXXX")
trap 'rm -rf "$folder"' EXIT

# type_check FOLDER [OPTION…]: in one process, which reads all files once.
type_check() {
    local files
    mapfile -t files < <(find "$1" -name '*.swift')
    swiftc "${@:2}" "${modes[@]}" "${brought[@]}" -whole-module-optimization -warnings-as-errors \
        -module-name QuartermasterClient -package-name quartermaster -I "$folder/modules" "${files[@]}"
}

# expect_error MEMBER: the check fails for a copy of the client with two letters of the member's name exchanged.
expect_error() {
    local member=${1#.} copy=$folder/copy files
    local wrong=${member:1:1}${member:0:1}${member:2}
    rm -rf "$copy" && cp -R "$client" "$copy"
    local place="\\b$member\\b"
    [[ $1 == .* ]] && place="\\.$member\\b"
    mapfile -t files < <(grep -rlE 'canImport\((StoreKit|Security|ObjectiveC)\)' "$copy" | xargs grep -lE -- "$place")
    ((${#files[@]})) || fail "no file uses $member"
    sed -i -E "s/$place/${1/$member/$wrong}/" "${files[@]}"
    if type_check "$copy" -typecheck >"$folder/errors" 2>&1; then fail "no error for $wrong instead of $member"; fi
    grep -q "error: .*$wrong" "$folder/errors" ||
        fail "for $wrong instead of $member another error: $(grep -m 1 error: "$folder/errors")"
}

# check_keychain: plays KeychainCredentials against a keychain in memory.
check_keychain() {
    local files
    mapfile -t files < <(find "$client/Account/Keychain" -name '*.swift')
    swiftc "${modes[@]}" -suppress-warnings -emit-library -static -emit-module -module-name Security \
        -emit-module-path "$folder/keychain/Security.swiftmodule" -o "$folder/keychain/libSecurity.a" \
        "$stubs/Security"/*.swift
    swiftc "${modes[@]/-parse-as-library/-g}" -module-name KeychainCheck -I "$folder/keychain" -o "$folder/keychain/check" \
        "${files[@]}" "$client/Account"/{PlayerAccount,CredentialStore,CredentialsUnavailable}.swift \
        "$stubs/KeychainCheck/main.swift" "$folder/keychain/libSecurity.a"
    "$folder/keychain/check"
}

# zstd_module: the module of the package facebook/zstd, over the same header of the system.
zstd_module() {
    mkdir "$folder/modules/libzstd"
    printf 'module libzstd [extern_c] {\n    header "%s"\n    export *\n}\n' "$PWD/Sources/CZstd/shim.h" \
        >"$folder/modules/libzstd/module.modulemap"
}

# check_page PAGE: its blocks of Swift are type-checked, those without imports inside of scripts/storekit/page-prologue.txt.
check_page() {
    local block page=$folder/page
    rm -rf "$page" && mkdir "$page"
    awk -v page="$page" '
        /^```swift/ { file = sprintf("%s/%02d.swift", page, ++count); next }
        /^```/ { if (file) close(file); file = ""; next }
        file { print > file }' "$1"
    # Only Apple's compilers know the word.
    sed -i -E 's/@objc(\(\w+\))? //' "$page"/*.swift
    for block in "$page"/*.swift; do
        if ! grep -q '^import ' "$block"; then
            { cat "$stubs/page-prologue.txt" "$block" && echo '}'; } >"$block.swift" && mv "$block.swift" "$block"
        fi
        # As an app has it that sets nothing but the language.
        swiftc -typecheck -swift-version 6 -parse-as-library -module-name Page -warnings-as-errors -I "$folder/modules" \
            -I "$folder/modules/libzstd" "${brought[@]}" "$block" || fail "$1: this does not compile, see above"
    done
    printf '%s: %d examples\n' "$1" "$(find "$page" -name '*.swift' | wc -l)"
}

# check_sample: the app of examples/HangmanApp is one module, as its project.yml has it.
check_sample() {
    local files
    mapfile -t files < <(find examples/HangmanApp -name '*.swift')
    swiftc -emit-sil -wmo -o "$folder/app.sil" -swift-version 6 -parse-as-library -module-name Hangman \
        -warnings-as-errors -I "$folder/modules" "${brought[@]}" "${files[@]}"
    echo "examples/HangmanApp: ${#files[@]} files"
}

# expect_none PATTERN REASON: outside of #if.
expect_none() {
    local found
    found=$(find "$client" -name '*.swift' -exec awk -v pattern="$1" '
        FNR == 1 { depth = 0 }
        /^[ \t]*#if / { depth++ }
        /^[ \t]*#endif/ { depth-- }
        !depth && !/^[ \t]*\/\// && $0 ~ pattern { print FILENAME ":" FNR ": " $0 }' {} +)
    [[ -z $found ]] || fail "$2:
$found"
}

mkdir "$folder/modules" "$folder/keychain"
compile_stubs "$folder/modules" StoreKit Security SwiftUI Network CryptoKit ObjectiveC AppleFoundation UIKit WidgetKit
type_check "$client" -emit-module -o "$folder/modules/QuartermasterClient.swiftmodule"
# What is sent from one task to another is checked behind the types.
type_check "$client" -emit-sil -wmo -o "$folder/client.sil"
echo "the client with StoreKit: no errors"
for member in "${misspelt[@]}"; do expect_error "$member"; done
echo "misspelt members: an error for each of ${#misspelt[@]}"
zstd_module
check_sample
for page in adopting downloads first-hour signed-entitlements storekit storekit-testing subscription-screen uikit unity \
    widgets; do
    check_page "docs/app/$page.md"
done
check_keychain
expect_none 'waitsForConnectivity|\.background\(withIdentifier|withResumeData|byProducingResumeData' \
    'this ends the process on Linux'
echo "what ends the process on Linux: none"
