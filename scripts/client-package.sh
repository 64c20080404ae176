#!/usr/bin/env bash
# Makes a repository of the client library alone, for tools that cannot say traits: [] and would fetch the server's
# packages with it.
#   scripts/client-package.sh FOLDER [VERSION]
# FOLDER is made, or its content replaced, but for its history; with VERSION the commit is tagged so.
set -euo pipefail

(($# == 1 || $# == 2)) || {
    sed -n '4p' "$0" >&2
    exit 2
}
folder=$(realpath -m -- "$1")
version=${2:-}
cd "$(dirname "$0")/.."
readonly folder version name=QuartermasterClient

# line START: the one line of the manifest that begins so.
line() { grep -m 1 -E "^ *$1" Package.swift | sed 's/^ *//'; }

write_manifest() {
    cat <<MANIFEST
$(line '// swift-tools-version')

import PackageDescription

$(sed -n '/^#if canImport(Darwin)/,/^#endif/p' Package.swift)

let package = Package(
    name: "quartermaster-client",
    $(line 'platforms:')
    products: [
        $(line "\\.library\\(name: \"$name\"")
    ],
    dependencies: [
        $(line '\.package\(url: ".*/swift-crypto"')
    ],
    targets: [
        .target(
            name: "$name",
            $(line 'dependencies: \[\.product\(name: "Crypto", package: "swift-crypto", condition')
            $(line 'exclude: privacyManifestExclude' | sed 's/),$/,/')
            swiftSettings: [
                $(line '\.swiftLanguageMode')
$(grep -E '^ *\.enableUpcomingFeature' Package.swift | sed 's/^ */                /')
            ]
        )
    ]
)
MANIFEST
}

[[ -d $folder/.git ]] || git init --quiet --initial-branch main "$folder"
[[ $(git -C "$folder" rev-parse --show-toplevel) == "$folder" ]] || {
    echo "client-package: $folder is inside of another repository" >&2
    exit 1
}
rm -rf "${folder:?}/Sources" && mkdir -p "$folder/Sources"
cp -R "Sources/$name" "$folder/Sources/"
cp LICENSE "$folder/"
write_manifest >"$folder/Package.swift"
printf '.build\n' >"$folder/.gitignore"
git -C "$folder" add --all
git -C "$folder" diff --cached --quiet ||
    git -C "$folder" commit --quiet --message "Take the client from $(git rev-parse --short HEAD)"
[[ -z $version ]] || git -C "$folder" tag "$version"
echo "$folder"
