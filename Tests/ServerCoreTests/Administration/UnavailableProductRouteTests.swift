import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import LedgerSQL
@testable import QuartermasterServer
@testable import ServerHTTP

/// Apps report the products that the store did not know.
@Suite struct UnavailableProductRouteTests {
    static let path = "/v1/apps/\(World.app)/unavailable-products"
    static let hints = "com.example.hangman.tenhints"

    private static func report(_ products: [String], from address: Int, in world: World) async throws -> Answer {
        var headers = HTTPFields()
        headers[.forwardedFor] = "203.0.113.\(address)"
        let body: JSONValue = ["productIDs": .array(products.map { .string($0) })]
        return try await world.call(.post, path, body, headers: headers)
    }

    static let proxies = ["QUARTERMASTER_TRUSTED_PROXIES": "127.0.0.0/8,::1"]

    @Test func `An unavailable product is listed once three addresses reported it`() async throws {
        try await World.run(environment: Self.proxies) { world in
            let admin = try await world.newAdmin(.read)
            func shown() async throws -> JSONValue {
                try await world.call(.get, "/admin/v1/apps/\(World.app)/unavailable-products", as: admin).json
            }
            for address in 1...3 {
                #expect(try await shown() == ["products": []])
                let answer = try await Self.report(
                    [Self.hints, "none", "", "\u{0}", Self.hints], from: address, in: world)
                #expect(answer.status == 204 && answer.bytes.isEmpty)
            }
            let day = String(World.start.rfc3339.prefix(10))
            let entry: JSONValue = [
                "app": .string(World.app), "product": .string(Self.hints), "day": .string(day), "addresses": 3,
            ]
            #expect(try await shown() == ["products": [entry]])
            // What is known is not written again, and the ledger does not show who reported it.
            let commits = try await world.scrape().commits
            #expect(try await Self.report([Self.hints, "none"], from: 3, in: world).status == 204)
            #expect(try await world.scrape().commits == commits)
        }
    }

    @Test func `The ledger stores reporting addresses as hashes under a key of their own`() async throws {
        var hashes: Set<String> = []
        for _ in 0..<2 {
            let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
            try await World.run(ledger: ledger, environment: Self.proxies) { world in
                for _ in 0..<2 { _ = try await Self.report([Self.hints], from: 7, in: world) }
            }
            let rows = try await ledger.database.read { try $0.all("SELECT address FROM unavailableProducts", []) }
            let stored = try rows.map { try $0["address"] as Data }
            #expect(stored.map(\.count) == [16])
            hashes.formUnion(stored.map(\.hex))
        }
        #expect(hashes.count == 2)
    }

    @Test func `A malformed report of unavailable products is refused`() async throws {
        try await World.run { world in
            let many = (0...Limits.unavailableProductsPerReport).map { "p\($0)" }
            let answer = try await Self.report(many, from: 1, in: world)
            #expect(answer.status == 422 && answer.json["code"] == "invalid_request", "\(answer)")
            #expect(try await Self.report(Array(many.dropLast()), from: 1, in: world).status == 204)
            for body: JSONValue in [[:], ["productIDs": "a"], ["productIDs": [1]]] {
                #expect(try await world.call(.post, Self.path, body).status == 400)
            }
            let unknown = try await world.call(.post, "/v1/apps/none/unavailable-products", ["productIDs": []])
            unknown.expect(.init(404, "unknown_app"))
        }
    }

    @Test func `Reports of unavailable products are limited by address`() async throws {
        let environment = Self.proxies.merging(["QUARTERMASTER_LIMITS_UNAVAILABLE_PRODUCT_BURST": "2"]) { $1 }
        try await World.run(environment: environment) { world in
            for _ in 0..<2 { #expect(try await Self.report([], from: 1, in: world).status == 204) }
            let refused = try await Self.report([], from: 1, in: world)
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "1")
            #expect(try await Self.report([], from: 2, in: world).status == 204)
            world.clock.advance(by: 1)
            #expect(try await Self.report([], from: 1, in: world).status == 204)
        }
    }
}
