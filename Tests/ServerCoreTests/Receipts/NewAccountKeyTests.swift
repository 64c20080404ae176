import Crypto
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
@testable import ServerCore
@testable import ServerHTTP

/// `POST /v1/accounts` with an `Idempotency-Key`.
@Suite struct NewAccountKeyTests {
    private static let key = "p9vKhL0yqS2mXw7RtB4uZQ"

    private static func create(_ world: World, _ key: String = key, _ body: JSONValue? = nil) async throws -> Answer {
        try await world.call(.post, "/v1/accounts", body, headers: .key(key))
    }

    private static func player(_ answer: Answer) throws -> Player {
        #expect(answer.status == 201)
        return Player(
            account: try #require(answer.json["account"].text), token: try #require(answer.json["accessToken"].text),
            recoveryCode: try #require(answer.json["recoveryCode"].text))
    }

    @Test func `A repeated request for an account is answered with the same account`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger) { world in
            let first = try Self.player(try await Self.create(world))
            let second = try Self.player(try await Self.create(world))
            #expect(second.account == first.account)
            #expect(try await world.call(.get, "/v1/entitlements", as: first).status == 401)
            let dead: JSONValue = ["recoveryCode": .string(first.recoveryCode)]
            #expect(try await world.call(.post, "/v1/sessions", dead).status == 401)
            #expect(try await world.entitlements(of: second)["account"].text == first.account)
            // Reading records nothing.
            let third = try Self.player(try await Self.create(world))
            #expect(third.account == first.account)
            _ = try await world.secondDevice(of: third)
            try await Self.create(world).expect(ExpectedProblem(409, "idempotency_key_reused"))
            #expect(try await world.entitlements(of: third)["account"].text == first.account)
            world.clock.advance(by: 86_400)
            #expect(try Self.player(try await Self.create(world)).account != first.account)
            let rows = try await ledger.database.read { try $0.all("SELECT key FROM accountKeys", []) }
            #expect(try rows.map { try $0["key"] as Data } == [Data(SHA256.hash(data: Data(Self.key.utf8)))])
        }
    }

    /// Once, in the first answer's commit or in that of a repetition.
    @Test func `Starting credits are no use of the new account`() async throws {
        let setting = #""appAppleID": 1234567890, "startingCredits": {"hints": 20},"#
        let products = Project.products.replacing(#""appAppleID": 1234567890,"#, with: setting)
        try await World.run(products: products) { world in
            let players = [
                try Self.player(try await Self.create(world)), try Self.player(try await Self.create(world)),
            ]
            #expect(players[0].account == players[1].account)
            #expect(try await world.entitlements(of: players[1])["balances"] == ["hints": 20])
        }
    }

    @Test func `Each repetition counts as a new account for the limit`() async throws {
        try await World.run(environment: ["QUARTERMASTER_LIMITS_ACCOUNT_BURST": "2"]) { world in
            for _ in 0..<2 { _ = try Self.player(try await Self.create(world)) }
            try await Self.create(world).expect(ExpectedProblem.tooManyRequests)
        }
    }

    static let refused = [
        "", "k", String(key.dropLast()), String(long.prefix(129)), key + "é", key + "\t" + "k",
        String(repeating: "0", count: 22), String(repeating: "k", count: 128), "abcabcabcabcabcabcabcabc",
        "abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "0123456789012345678901",
        "00000000-0000-4000-8000-000000000000", "AAAAAAAAAAAAAAAAAAAAAQ==", "acegikmoqsuwyacegikmoqsuwy",
        "11111111112222222222333333333344444444445555555555",
    ]

    private static let long = String(repeating: key, count: 6)

    @Test func `A key that could be guessed is refused`() async throws {
        try await World.run { world in
            for key in Self.refused { try await Self.create(world, key).expect(.invalid, "\(key)") }
            #expect(try await world.ledger.isEmpty())
            for key in [Self.key, String(Self.long.prefix(128))] {
                _ = try Self.player(try await Self.create(world, key))
            }
        }
    }

    @Test func `No key of 128 random bits is taken for a pattern`() {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<500 {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let digits = (0..<39).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            for key in [Data(bytes).base64URLText, digits, hexadecimal, hexadecimal.uppercased()] {
                #expect(key.isVaried, "\(key)")
            }
        }
    }
}
