import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// Products and credits that each account of a list is given, over HTTP.
@Suite struct GiftRouteTests {
    private static let path = "/admin/v1/gifts"
    private static let words: [String: JSONValue] = ["product": .string("\(World.app).hardwords")]
    private static let hints: [String: JSONValue] = ["currency": "hints", "amount": 5]

    private static func give(
        _ more: [String: JSONValue], to names: [String], as admin: Player, key: String, dryRun: Bool = false,
        _ world: World
    ) async throws -> Answer {
        let body: [String: JSONValue] = ["reason": "partner 7", "accounts": .array(names.map { .string($0) })]
        return try await world.call(
            .post, path + (dryRun ? "?dryRun=true" : ""), .object(body.merging(more) { $1 }), as: admin,
            headers: .key(key))
    }

    private static func answer(_ given: Int, _ more: [String: JSONValue] = [:]) -> JSONValue {
        let none: [String: JSONValue] = [
            "given": .integer(given), "unknown": [], "blocked": [], "alreadyHad": [], "repeated": [], "full": [],
        ]
        return .object(none.merging(more) { $1 })
    }

    /// Each line that gives nobody anything has its number, in the dry run as in the run.
    @Test func `Each account of a list is given a product once`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.support)
            let (first, second) = (try await world.newPlayer(), try await world.newPlayer())
            let (blocked, owner) = (try await world.newPlayer(), try await world.buyer(of: "hardwords"))
            #expect(try await world.act("block", on: blocked, as: admin).status == 200)
            let known = try await world.act("external-id", .put, on: second, ["externalID": "a,b"], as: admin)
            #expect(known.status == 200, "\(known)")
            let names = [
                first.account.uppercased(), "", "a,b", "nobody", blocked.account, owner.account, second.account,
                UUID().uuidString,
            ]
            let others: [String: JSONValue] = [
                "unknown": [4, 8], "blocked": [5], "alreadyHad": [6], "repeated": [7],
            ]
            let planned = try await Self.give(Self.words, to: names, as: admin, key: "k", dryRun: true, world)
            #expect(planned.status == 200, "\(planned)")
            #expect(planned.json == Self.answer(2, others.merging(["dryRun": true]) { $1 }))
            #expect(try await world.auditRows(of: "entitlement.granted").isEmpty)
            let given = try await Self.give(Self.words, to: names, as: admin, key: "k", world)
            #expect(given.status == 200 && given.json == Self.answer(2, others), "\(given)")
            for player in [first, second] {
                #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            }
            let rows = try await world.auditRows(of: "entitlement.granted")
            #expect(rows.count == 2 && rows.allSatisfy { $0.contains("partner 7") }, "\(rows)")
            let again = try await Self.give(Self.words, to: names, as: admin, key: "k", world)
            #expect(again.json == Self.answer(0, others.merging(["alreadyHad": [1, 3, 6]]) { $1 }), "\(again)")
            #expect(try await world.auditRows(of: "entitlement.granted").count == 2)
        }
    }

    /// A run that broke off after the first account goes on with the same key; another key gives once more.
    @Test func `A list of credits goes on where it broke off`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.support)
            let players = [try await world.newPlayer(), try await world.newPlayer(), try await world.newPlayer()]
            let names = players.map(\.account)
            let begun = try await Self.give(Self.hints, to: [names[0]], as: admin, key: "k", world)
            #expect(begun.json == Self.answer(1), "\(begun)")
            let rest = try await Self.give(Self.hints, to: names, as: admin, key: "k", world)
            #expect(rest.json == Self.answer(2, ["alreadyHad": [1]]), "\(rest)")
            for player in players {
                #expect(try await world.entitlements(of: player)["balances"] == ["hints": 5])
            }
            let other = try await Self.give(Self.hints, to: names, as: admin, key: "l", world)
            #expect(other.json == Self.answer(3), "\(other)")
            #expect(try await world.entitlements(of: players[2])["balances"] == ["hints": 10])
            #expect(try await world.auditRows(of: "credits.adjusted").count == 6)
        }
    }

    /// The app of a token is the only one whose products it gives, and external IDs belong to no app.
    @Test func `A token for some apps gives their products to accounts that it names by their IDs`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let admin = try await world.newAdmin()
            let ours = try await world.newAdmin(.support, name: "ours", for: [BundleID(stored: World.app)])
            let player = try await world.newPlayer()
            #expect(
                try await world.act("external-id", .put, on: player, ["externalID": "4711"], as: admin).status == 200)
            let (ids, names) = (Self.hints.merging(["app": .string(World.app)]) { $1 }, [player.account, "4711"])
            let given = try await Self.give(ids, to: names, as: ours, key: "k", world)
            #expect(given.json == Self.answer(1, ["unknown": [2]]), "\(given)")
            let theirs = Self.hints.merging(["app": "com.example.chess"]) { $1 }
            #expect(try await Self.give(theirs, to: names, as: ours, key: "k", world).status == 403)
            let reader = try await world.newAdmin(.read, name: "reader")
            #expect(try await Self.give(ids, to: names, as: reader, key: "k", world).status == 403)
        }
    }

    /// Things that nobody can be given give nobody anything, and the key stays usable.
    @Test func `A list with a mistake gives nobody anything`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let many = Array(repeating: player.account, count: AccountList.maximumLines + 1)
            let mistakes: [([String: JSONValue], [String], Int)] = [
                (Self.words.merging(Self.hints) { $1 }, [player.account], 422), ([:], [player.account], 422),
                (["currency": "hints"], [player.account], 422), (Self.words, [], 422), (Self.words, ["", " "], 422),
                (Self.words, many, 422), (Self.words.merging(["until": "soon"]) { $1 }, [player.account], 422),
                (Self.words.merging(["until": "2001-01-01T00:00:00Z"]) { $1 }, [player.account], 422),
                (Self.hints.merging(["until": "2099-01-01T00:00:00Z"]) { $1 }, [player.account], 422),
                (Self.hints.merging(["amount": 0]) { $1 }, [player.account], 422),
                (Self.hints.merging(["currency": "x"]) { $1 }, [player.account], 422),
                (["product": "x"], [player.account], 422),
                (Self.words.merging(["reason": " "]) { $1 }, [player.account], 422),
                (Self.words.merging(["app": "com.example.none"]) { $1 }, [player.account], 404),
            ]
            for (more, names, status) in mistakes {
                for dryRun in [true, false] {
                    let answer = try await Self.give(more, to: names, as: admin, key: "k", dryRun: dryRun, world)
                    #expect(answer.status == status, "\(more) \(names.count): \(answer)")
                }
            }
            let body: JSONValue = [
                "reason": "r", "accounts": [.string(player.account)], "currency": "hints", "amount": 5,
            ]
            #expect(try await world.call(.post, Self.path, body, as: admin).status == 400, "without a key")
            #expect(try await Self.give(Self.hints, to: [player.account], as: admin, key: "k", world).status == 200)
            let reused = try await Self.give(
                Self.hints.merging(["amount": 6]) { $1 }, to: [player.account], as: admin, key: "k", world)
            reused.expect(ExpectedProblem(422, "idempotency_key_reused"))
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 5])
            #expect(try await world.auditRows(of: "entitlement.granted").isEmpty)
        }
    }

    /// Text as people write it, and CSV as spreadsheets do.
    @Test(arguments: [
        ("a\nb\n", ["a", "b"]), ("a\r\n\r\nb\r\n\r\n", ["a", "", "b"]), ("\u{FEFF}a\nb", ["a", "b"]),
        ("a,1,2\nb;1\nc\t1", ["a", "b", "c"]), ("\"a,b\",1\n\"a\"\"b\"", ["a,b", "a\"b"]),
        ("\n a \nb", ["", "a", "b"]),
        ("\"a", ["\"a"]),
    ]) func `The first column of each line names an account`(text: String, names: [String]) throws {
        #expect(try AccountList(file: text).names == names)
    }

    @Test func `A file that names nobody or too many is refused`() {
        for text in [
            "", "\n\n", " \r\n", String(repeating: "a\n", count: AccountList.maximumLines + 1),
            String(repeating: "a", count: AccountList.maximumBytes + 1),
        ] { #expect(throws: (any Error).self) { try AccountList(file: text) } }
    }
}
