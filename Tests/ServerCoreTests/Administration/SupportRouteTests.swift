import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerHTTP

/// Acts of administrators for players, and on them, over HTTP.
@Suite struct SupportRouteTests {
    /// The former owner's device sends a fresh receipt every day; that must not undo what support decided.
    @Test func `A purchase that support transferred stays with its new owner`() async throws {
        try await World.run { world in
            let (admin, old, new) = (
                try await world.newAdmin(), try await world.newPlayer(), try await world.newPlayer()
            )
            let bought = try await world.buy("hardwords", "non-consumable", ["appAccountToken": .string(old.account)])
            #expect(try await world.post(bought.signedTransaction, as: old).status == 200)
            let moved = try await world.move(bought.originalID, to: new, as: admin)
            #expect(moved.status == 200 && moved.headers[.cacheControl] == "no-store", "\(moved)")
            #expect(moved.json["owner"].text == new.account && moved.json["basis"] == "administrator")
            #expect(try await world.move(bought.originalID, to: new, as: admin).json == moved.json)
            #expect(try await world.entitlement(to: "hardwords", of: old)["reason"] == "transferred")
            #expect(try await world.entitlement(to: "hardwords", of: new)["access"] == "granted")
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: new).status == 200)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: old).status == 403)
            world.clock.advance(by: 3_600)
            for evidence in [bought.signedTransaction, try await world.freshAppReceipt(of: old)] {
                try await world.post(evidence, as: old).expect(
                    ExpectedProblem(409, "owned_by_another_account", reason: "ownedByAnotherAccount"))
            }
            #expect(try await world.post(bought.signedTransaction, as: new).json["finish"] == true)
            #expect(try await world.entitlement(to: "hardwords", of: new)["access"] == "granted")
        }
    }

    @Test func `Credits are given and taken back once per key`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            func adjust(_ amount: Int, _ key: String) async throws -> Answer {
                try await world.act(
                    "credits", on: player, ["currency": "hints", "amount": .integer(amount)], as: admin, key: key)
            }
            let given = try await adjust(50, "a")
            #expect(
                given.status == 200
                    && given.json == [
                        "account": .string(player.account), "app": .string(World.app), "environment": "Production",
                        "currency": "hints", "balance": 50,
                    ], "\(given)")
            #expect(try await adjust(-60, "b").json["balance"] == -10)
            #expect(try await adjust(50, "a").json == given.json)
            try await adjust(51, "a").expect(ExpectedProblem(422, "idempotency_key_reused"))
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": -10])
            #expect(try await world.auditRows(of: "credits.adjusted").count == 2)
        }
    }

    /// A typing error must not make a balance of its own. What an account has can still be taken back when nothing on
    /// sale gives it any more.
    @Test func `Giving credits of an unknown currency is refused`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            func adjust(_ currency: String, _ amount: Int, _ key: String) async throws -> Answer {
                try await world.act(
                    "credits", on: player, ["currency": .string(currency), "amount": .integer(amount)], as: admin,
                    key: key)
            }
            for (currency, amount) in [("hintz", 5), ("Hints", 5), ("hints ", 5), ("hintz", -5)] {
                let refused = try await adjust(currency, amount, "k")
                refused.expect(ExpectedProblem(422, "unknown_currency"))
                #expect(refused.json["detail"].text?.contains("hints") == true, "names what there is: \(refused)")
            }
            #expect(try await world.entitlements(of: player)["balances"] == [:])
            #expect(try await world.auditRows(of: "credits.adjusted").isEmpty)
            let given = try await adjust("hints", 5, "k")
            #expect(given.json["balance"] == 5, "the key is not used up")
            for product in ["tenhints", "hundredhints"] {
                let path = "/admin/v1/apps/\(World.app)/products/\(World.app).\(product)"
                #expect(try await world.call(.delete, path, as: admin).status == 204)
            }
            #expect(try await adjust("hints", 5, "k").json == given.json)
            #expect(try await adjust("hints", -5, "l").json["balance"] == 0)
            let other = try await world.newPlayer()
            try await world.act("credits", on: other, ["currency": "hints", "amount": 5], as: admin, key: "k")
                .expect(ExpectedProblem(422, "unknown_currency"))
        }
    }

    /// On every route for players, and on a new device; a receipt is kept by the app, and accepted when the block ends.
    @Test func `A blocked account is shut out and loses nothing`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            let blocked = try await world.act("block", on: player, as: admin)
            #expect(blocked.status == 200 && blocked.json["blockedAt"].text == World.start.rfc3339, "\(blocked)")
            let refusal = ExpectedProblem(403, "account_blocked")
            try await world.post(bought.signedTransaction, as: player).expect(refusal)
            try await world.call(.get, "/v1/entitlements", as: player).expect(refusal)
            try await world.call(.post, "/v1/sessions", ["recoveryCode": .string(player.recoveryCode)])
                .expect(refusal)
            world.clock.advance(by: 60)
            #expect(try await world.act("block", on: player, as: admin).json == blocked.json)
            let free = try await world.act("unblock", on: player, as: admin)
            #expect(free.status == 200 && free.json == ["account": .string(player.account)], "\(free)")
            #expect(try await world.act("unblock", on: player, as: admin).json == free.json)
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            _ = try await world.secondDevice(of: player)
            #expect(try await world.auditRows(of: "account.blocked").count == 1)
            #expect(try await world.auditRows(of: "account.unblocked").count == 1)
        }
    }

    @Test func `Support ends every session of an account`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let second = try await world.secondDevice(of: player)
            #expect(try await world.act("sessions/revoke", on: player, as: admin).json["revoked"] == 2)
            #expect(try await world.act("sessions/revoke", on: player, as: admin).json["revoked"] == 0)
            for device in [player, second] {
                #expect(try await world.call(.get, "/v1/entitlements", as: device).status == 401)
            }
            _ = try await world.secondDevice(of: player)
        }
    }

    /// Each act in the router knows dry runs, and a new one must.
    @Test func `Every act of support has a dry run`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let subjects = ["accounts/", "apps/", "original-transactions/", "lines/", "receipts/"].map {
                "/admin/v1/" + $0
            }
            let acts = world.assembly.routes.main.router.routes.map { ($0.method, $0.path.description) }.filter {
                method, path in
                [.post, .put, .patch, .delete].contains(method) && subjects.contains { path.hasPrefix($0) }
            }
            #expect(acts.count >= 22)
            for (method, route) in acts {
                let path = route.replacing(/\{[^}]*\}/, with: "1")
                let answer = try await world.call(method, path + "?dryRun=maybe", ["reason": "ticket 7"], as: admin)
                #expect(answer.json["detail"] == "dryRun: true or false", "\(method) \(route): \(answer)")
            }
        }
    }

    /// It is in the report and the lists, and leads to the account; it is nobody else's until it is removed.
    @Test func `Support records a player's external ID`() async throws {
        try await World.run { world in
            let (admin, player, other) = (
                try await world.newAdmin(), try await world.newPlayer(), try await world.newPlayer()
            )
            let id: [String: JSONValue] = ["externalID": "Spieler 47/11"]
            let dry = try await world.act("external-id?dryRun=true", .put, on: player, id, as: admin)
            #expect(dry.json["before"] == ["externalID": .null] && dry.json["after"] == .object(id), "\(dry)")
            let set = try await world.act("external-id", .put, on: player, id, as: admin)
            let known: JSONValue = ["account": .string(player.account), "externalID": "Spieler 47/11"]
            #expect(set.status == 200 && set.json == known, "\(set)")
            try await world.act("external-id", .put, on: other, id, as: admin)
                .expect(ExpectedProblem(409, "external_id_in_use"))
            for text in ["", "a\n", String(repeating: "x", count: 129)] {
                try await world.act("external-id", .put, on: other, ["externalID": .string(text)], as: admin)
                    .expect(Self.unprocessable)
            }
            let find = "/admin/v1/accounts?externalID=Spieler%2047%2F11"
            let found = try await world.call(.get, find, as: admin)
            #expect(found.json["accounts"][0]["account"].text == player.account, "\(found)")
            #expect(found.json["accounts"][0]["externalID"] == "Spieler 47/11" && found.json["unclaimed"] == [])
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin)
            #expect(report.json["externalID"] == "Spieler 47/11")
            let ours = try await world.newAdmin(name: "ours", for: [BundleID(stored: World.app)])
            #expect(try await world.call(.get, find, as: ours).status == 403)
            let part = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: ours)
            #expect(part.status == 200 && part.json["externalID"] == .null)
            let removed = try await world.act("external-id", .delete, on: player, as: admin)
            #expect(removed.json == ["account": .string(player.account)], "\(removed)")
            #expect(try await world.call(.get, find, as: admin).json["accounts"] == [])
            #expect(try await world.act("external-id", .put, on: other, id, as: admin).status == 200)
            #expect(try await world.auditRows(of: "account.externalIDChanged").count == 3)
        }
    }

    /// The report has them; a second identical one is the first.
    @Test func `Support writes notes on an account`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(.support), try await world.newPlayer())
            let path = "/admin/v1/accounts/\(player.account)/notes"
            let text: JSONValue = ["text": "Called about the hints; <very> kind."]
            let dry = try await world.call(.post, path + "?dryRun=true", text, as: admin)
            #expect(dry.json["before"] == ["notes": 0] && dry.json["after"] == ["notes": 1], "\(dry)")
            let written = try await world.call(.post, path, text, as: admin)
            #expect(written.status == 201 && written.json["actor"] == "admin:alice", "\(written)")
            #expect(try await world.call(.post, path, text, as: admin).json == written.json)
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            #expect(report["notes"].array == [written.json], "\(report)")
            for wrong in ["", " ", "a\nb", String(repeating: "x", count: 501)] {
                try await world.call(.post, path, ["text": .string(wrong)], as: admin).expect(Self.unprocessable)
            }
            let note = try #require(written.json["note"].text)
            let removed = try await world.act("notes/\(note)", .delete, on: player, as: admin)
            #expect(removed.status == 204, "\(removed)")
            #expect(try await world.act("notes/\(note)", .delete, on: player, as: admin).status == 204)
            let after = try await world.act("notes/\(note)?dryRun=true", .delete, on: player, as: admin)
            #expect(after.status == 200 && after.json["before"] == after.json["after"])
            for number in 0..<AccountNote.maximumOfAccount {
                let body: JSONValue = ["text": .string("note \(number)")]
                #expect(try await world.call(.post, path, body, as: admin).status == 201)
            }
            try await world.call(.post, path, text, as: admin).expect(ExpectedProblem(409, "too_many_notes"))
        }
    }

    /// Each act says what it would change, and changes nothing.
    @Test func `Dry runs of support record nothing`() async throws {
        try await World.run { world in
            let (admin, old, new) = (
                try await world.newAdmin(), try await world.newPlayer(), try await world.newPlayer()
            )
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: old).status == 200)
            let trail = try await world.ledger.auditRows(after: 0, limit: 1_000)
            let start = JSONValue.string(World.start.rfc3339)
            let dryRuns: [(path: String, method: HTTPRequest.Method, more: [String: JSONValue], after: JSONValue)] = [
                ("credits", .post, ["currency": "hints", "amount": 5], ["balance": 5]),
                ("block", .post, [:], ["blockedAt": start]), ("unblock", .post, [:], ["blockedAt": .null]),
                ("tester", .put, [:], ["testerSince": start]), ("tester", .delete, [:], ["testerSince": .null]),
                ("beta", .put, [:], ["betaSince": start]), ("beta", .delete, [:], ["betaSince": .null]),
                ("sandbox-reset", .post, [:], ["sandboxes": []]), ("sessions/revoke", .post, [:], ["openSessions": 0]),
            ]
            for (path, method, more, after) in dryRuns {
                let answer = try await world.act(
                    "\(path)?dryRun=true", method, on: old, more, as: admin, key: path == "credits" ? "k" : nil)
                #expect(answer.status == 200 && answer.json["after"] == after, "\(method) \(path): \(answer)")
                #expect(answer.json["dryRun"] == true && answer.json["before"] != .null)
            }
            for path in [
                "original-transactions/Production/\(bought.originalID)/transfer",
                "lines/Production/\(bought.originalID)/move",
            ] {
                let moved = try await world.call(
                    .post, "/admin/v1/\(path)?dryRun=true", ["to": .string(new.account), "reason": "r"], as: admin)
                #expect(moved.json["before"]["owner"].text == old.account, "\(moved)")
                #expect(moved.json["after"]["owner"].text == new.account)
            }
            #expect(try await world.ledger.auditRows(after: 0, limit: 1_000) == trail)
            #expect(try await world.entitlement(to: "hardwords", of: old)["access"] == "granted")
            try await world.act("block?dryRun=1", on: old, as: admin).expect(.invalid)
            try await world.act("block?dryRun=true", on: old, ["reason": " "], as: admin).expect(Self.unprocessable)
            #expect(try await world.act("block?dryRun=false", on: old, as: admin).json["blockedAt"] == start)
        }
    }

    /// A player took over a friend's purchase; support gives it back, and it stays there.
    @Test func `Support undoes a transfer`() async throws {
        try await World.run { world in
            let (admin, old, new) = (
                try await world.newAdmin(), try await world.newPlayer(), try await world.newPlayer()
            )
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: old).status == 200)
            let path = "/admin/v1/original-transactions/Production/\(bought.originalID)/transfer/undo"
            let reason: JSONValue = ["reason": "ticket 7"]
            try await world.call(.post, path, reason, as: admin).expect(ExpectedProblem(409, "not_transferred"))
            #expect(try await world.move(bought.originalID, to: new, as: admin).status == 200)
            let dry = try await world.call(.post, path + "?dryRun=true", reason, as: admin).json
            #expect(dry["after"]["owner"].text == old.account && dry["before"]["owner"].text == new.account)
            #expect(try await world.entitlement(to: "hardwords", of: new)["access"] == "granted")
            let undone = try await world.call(.post, path, reason, as: admin)
            #expect(undone.status == 200 && undone.json["owner"].text == old.account, "\(undone)")
            #expect(try await world.call(.post, path, reason, as: admin).json == undone.json)
            #expect(try await world.entitlement(to: "hardwords", of: old)["access"] == "granted")
            #expect(try await world.entitlement(to: "hardwords", of: new)["reason"] == "transferred")
            let unknown = path.replacing(bought.originalID, with: "7")
            try await world.call(.post, unknown, reason, as: admin).expect(Self.missing)
        }
    }

    /// Only the answer has the code; the previous one is invalid.
    @Test func `Support replaces a recovery code`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let dry = try await world.act("recovery-code?dryRun=true", on: player, as: admin)
            #expect(
                dry.status == 200 && dry.json["recoveryCode"] == .null && dry.json["after"]["recoveryCode"] == "new")
            _ = try await world.secondDevice(of: player)
            let given = try await world.act("recovery-code", on: player, as: admin)
            let code = try #require(given.json["recoveryCode"].text)
            #expect(given.status == 201 && given.headers[.cacheControl] == "no-store", "\(given)")
            try await world.call(.post, "/v1/sessions", ["recoveryCode": .string(player.recoveryCode)])
                .expect(ExpectedProblem(401, "invalid_credentials"))
            let opened = try await world.call(.post, "/v1/sessions", ["recoveryCode": .string(code)])
            #expect(opened.status == 201 && opened.json["account"].text == player.account)
            #expect(try await world.call(.get, "/v1/entitlements", as: player).status == 200, "its session stays open")
            let rows = try await world.auditRows(of: "account.recoveryCodeRotated")
            #expect(rows.count == 1 && rows.first?.contains(code) == false)
            try await world.call(.post, "/admin/v1/accounts/\(UUID())/recovery-code", ["reason": "r"], as: admin)
                .expect(Self.missing)
        }
    }

    /// A receipt that waits is due at once; one that was answered stays as it is.
    @Test func `Support has a waiting receipt asked about at once`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["http": 503])
            let waiting = try await world.post(bought.appReceipt, as: player)
            #expect(waiting.status == 202, "\(waiting)")
            let id = try #require(waiting.json["receipt"].text)
            func retry(_ query: String = "") async throws -> Answer {
                try await world.call(.post, "/admin/v1/receipts/\(id)/retry\(query)", ["reason": "ticket 7"], as: admin)
            }
            let dry = try await retry("?dryRun=true")
            let now = JSONValue.string(World.start.rfc3339)
            #expect(dry.json["after"]["retryAt"] == now && dry.json["before"]["retryAt"] != now, "\(dry)")
            #expect(try await world.auditRows(of: "receipt.retried").isEmpty)
            let retried = try await retry()
            #expect(retried.status == 200 && retried.json["status"] == "pending", "\(retried)")
            #expect(retried.json["retryAt"] == now && retried.json["receipt"].text == id)
            #expect(try await retry().json == retried.json)
            #expect(try await world.auditRows(of: "receipt.retried").count == 1)
            try await world.call(.post, "/admin/v1/receipts/r_x/retry", ["reason": "r"], as: admin)
                .expect(Self.missing)
        }
    }

    struct Bad: Sendable {
        var path: String
        var body: String
        var key: String?
        var problem: ExpectedProblem
    }

    /// `ACCOUNT` stands for a player's.
    static let bad: [Bad] = [
        Bad(path: "accounts/x/block", body: #"{"reason": "a"}"#, problem: .invalid),
        Bad(path: "accounts/ACCOUNT/block", body: "", problem: .invalid),
        Bad(path: "accounts/ACCOUNT/block", body: "[", problem: .invalid),
        Bad(path: "accounts/ACCOUNT/block", body: #"{"reason": 1}"#, problem: .invalid),
        Bad(path: "accounts/ACCOUNT/block", body: #"{"reason": " "}"#, problem: unprocessable),
        Bad(path: "accounts/ACCOUNT/unblock", body: #"{"reason": "a\nb"}"#, problem: unprocessable),
        Bad(path: "accounts/\(UUID())/block", body: #"{"reason": "a"}"#, problem: missing),
        Bad(path: "accounts/\(UUID())/sessions/revoke", body: #"{"reason": "a"}"#, problem: missing),
        Bad(path: "accounts/ACCOUNT/sandbox-reset", body: #"{"reason": " "}"#, problem: unprocessable),
        Bad(path: "accounts/\(UUID())/sandbox-reset", body: #"{"reason": "a"}"#, problem: missing),
        Bad(
            path: "accounts/ACCOUNT/sandbox-reset", body: #"{"reason": "a", "bundleID": "x"}"#,
            problem: ExpectedProblem(404, "unknown_app")),
        Bad(path: "accounts/ACCOUNT/credits", body: credits("1"), problem: .invalid),
        Bad(path: "accounts/ACCOUNT/credits", body: credits("0"), key: "k", problem: unprocessable),
        Bad(path: "accounts/ACCOUNT/credits", body: credits("1000000001"), key: "k", problem: unprocessable),
        Bad(path: "accounts/ACCOUNT/credits", body: credits("1.5"), key: "k", problem: .invalid),
        Bad(path: "accounts/ACCOUNT/credits", body: credits("1e30"), key: "k", problem: .invalid),
        Bad(path: "accounts/ACCOUNT/credits", body: credits("1", "Xcode"), key: "k", problem: .invalid),
        Bad(path: "accounts/ACCOUNT/credits", body: #"{"amount": 1, "reason": "a"}"#, key: "k", problem: .invalid),
        Bad(path: "lines/Production/1/move", body: #"{"to": "x", "reason": "a"}"#, problem: .invalid),
        Bad(path: "lines/Production/1/move", body: #"{"to": "ACCOUNT", "reason": "a"}"#, problem: missing),
        Bad(path: "lines/production/1/move", body: #"{"to": "ACCOUNT", "reason": "a"}"#, problem: .invalid),
        Bad(
            path: "lines/Production/1/move", body: #"{"to": "ACCOUNT", "reason": "a", "bundleID": "x"}"#,
            problem: ExpectedProblem(404, "unknown_app")),
    ]
    private static let unprocessable = ExpectedProblem(422, "invalid_request")
    private static let missing = ExpectedProblem(404, "not_found")

    private static func credits(_ amount: String, _ environment: String = "Sandbox") -> String {
        #"{"currency": "hints", "amount": \#(amount), "environment": "\#(environment)", "reason": "a"}"#
    }

    @Test func `An act of support that is refused changes nothing`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            try await world.unharmed { player in
                let before = try await world.ledger.auditRows(after: 0, limit: 1_000)
                for bad in Self.bad {
                    let answer = try await world.send(
                        .post, "/admin/v1/" + bad.path.replacing("ACCOUNT", with: player.account),
                        .init(string: bad.body.replacing("ACCOUNT", with: player.account)), as: admin,
                        headers: bad.key.map { HTTPFields.key($0) } ?? [:])
                    answer.expect(bad.problem, "\(bad): \(answer)")
                }
                #expect(try await world.ledger.auditRows(after: 0, limit: 1_000) == before)
            }
        }
    }
}
