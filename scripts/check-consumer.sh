#!/usr/bin/env bash
# Uses the client library as an app does: a package in a temporary folder depends on this checkout with traits: [],
# fetches nothing but swift-crypto and what that needs, builds, and buys from a fresh server with its simulated App Store.
# Then the same with the repository that scripts/client-package.sh makes.
# The build stays in .build/consumer: the first one compiles swift-crypto, which takes a minute or two.
set -Eeuo pipefail

# shellcheck source=scripts/server.sh
source "$(dirname "$0")/server.sh"

readonly scratch=$checkout/.build/consumer
# What swift-crypto depends on itself is not ours to choose.
readonly expected='swift-asn1 swift-crypto'

# shellcheck source=scripts/demo-support.sh
source scripts/demo-support.sh

# write_package DEPENDENCY: the app, whose only dependency is the one given.
write_package() {
    mkdir -p "$folder/app/Sources/app"
    rm -f "$folder/app/Package.resolved"
    cat >"$folder/app/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app",
    platforms: [.macOS(.v15)],
    dependencies: [$1],
    targets: [
        .executableTarget(
            name: "app", dependencies: [.product(name: "QuartermasterClient", package: "quartermaster")])
    ]
)
MANIFEST
    cat >"$folder/app/Sources/app/App.swift" <<'SWIFT'
import Foundation
import QuartermasterClient

@main
enum App {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let server = URL(string: arguments[1]), let store = URL(string: arguments[2]) else {
            exit(2)
        }
        do {
            try await shop(server, store, in: URL(fileURLWithPath: arguments[3]))
        } catch {
            print(error)
            exit(1)
        }
    }

    static func shop(_ server: URL, _ store: URL, in folder: URL) async throws {
        let source = SimulatorSource(
            store, bundleID: "com.example.hangman", customer: UUID().uuidString, device: UUID())
        let shop = try await Quartermaster.open(
            Quartermaster.Configuration(server: server, bundleID: "com.example.hangman", folder: folder),
            source: source, credentials: FileCredentials(folder.appendingPathComponent("account.json")))
        await shop.start()
        try await shop.refresh()
        let result = try await shop.buy("com.example.hangman.tenhints")
        let left = try await shop.spend(1, of: "hints")
        print("\(result), \(left) hints left")
        await shop.stop()
    }
}
SWIFT
}

# sell: as App Store Connect has it, so that the store knows the product's type and price.
sell() {
    begin 'App Store' 'has the product'
    request PUT "$store/simulator/v1/products" --header 'Content-Type: application/json' --data \
        '{"bundleID": "com.example.hangman", "products": [{"id": "com.example.hangman.tenhints", "type": "consumable", "price": 990, "currency": "USD"}]}'
    expect_status 204 'the product information'
    passed 'PUT /simulator/v1/products'
}

resolve() {
    local fetched
    begin "$1" 'fetches what the client needs'
    swift package resolve --package-path "$folder/app" --scratch-path "$scratch" >"$folder/log" 2>&1 ||
        fail 'swift package resolve failed'
    fetched=$(jq -r '[.pins[].identity] | sort | join(" ")' "$folder/app/Package.resolved")
    [[ $fetched == "$expected" ]] || fail "fetched $fetched instead of $expected"
    passed "$fetched"
}

buy() {
    local printed
    begin "$1" 'builds, buys and spends'
    swift build --package-path "$folder/app" --scratch-path "$scratch" >"$folder/log" 2>&1 || fail 'the build failed'
    printed=$(timeout 60 "$scratch/debug/app" "$base" "$store" "$folder/$1" 2>&1) || fail "the app ended with $?: $printed"
    [[ $printed == 'delivered, 9 hints left' ]] || fail "the app printed: $printed"
    passed "$printed"
}

trap 'fail "failed: $BASH_COMMAND"' ERR
start_server "$binary"
sell
write_package ".package(name: \"quartermaster\", path: \"$checkout\", traits: [])"
resolve checkout
buy checkout
"$checkout/scripts/client-package.sh" "$folder/quartermaster" >"$folder/log"
write_package ".package(path: \"$folder/quartermaster\")"
resolve alone
buy alone
