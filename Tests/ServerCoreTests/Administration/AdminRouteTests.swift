import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// The authentication of administrators, and what they see.
@Suite struct AdminRouteTests {
    /// After ten the address waits, unless it has the right token: behind a proxy that nobody configured all
    /// administrators have one address, and a stranger's guesses must not shut them out.
    @Test func `Wrong admin tokens are limited by address, and a valid one is not`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let stranger = Player(account: "", token: AccessToken(systemRandomBytes).text, recoveryCode: "")
            for _ in 0..<RateLimit.adminTokens.standard.burst {
                try await world.call(.get, "/admin/v1/audit", as: stranger)
                    .expect(ExpectedProblem(401, "unauthenticated"))
                #expect(try await world.call(.get, "/admin/v1/audit", as: admin).status == 200)
            }
            for _ in 0..<3 {
                let answer = try await world.call(.get, "/admin/v1/audit", as: stranger)
                answer.expect(ExpectedProblem(429, "too_many_requests"))
                #expect(answer.headers[.retryAfter] == "6")
                #expect(try await world.call(.get, "/admin/v1/audit", as: admin).status == 200)
            }
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"adminTokens\"}"] == "3")
            // A caller that sends none guesses nothing, and players are not kept waiting.
            #expect(try await world.call(.get, "/admin/v1/audit").status == 401)
            _ = try await world.newPlayer()
            world.clock.advance(by: 6)
            #expect(try await world.call(.get, "/admin/v1/audit", as: stranger).status == 401)
            #expect(try await world.call(.get, "/admin/v1/audit", as: stranger).status == 429)
        }
    }

    @Test func `The log names the administrator and no token`() async throws {
        let recorder = LogRecorder()
        try await World.run(logger: recorder.logger(.info)) { world in
            let (alice, bob) = (try await world.newAdmin(), try await world.newAdmin(.read, name: "bob"))
            let player = try await world.newPlayer()
            #expect(try await world.act("block", on: player, as: bob).status == 403)
            #expect(try await world.act("block", on: player, as: alice).status == 200)
            #expect(try await world.call(.get, "/v1/entitlements", as: player).status == 403)
            let requests = recorder.lines.filter { $0.hasPrefix("request ") }
            #expect(requests.contains { $0.contains("admin=bob") && $0.contains("status=403") })
            #expect(
                requests.contains { $0.contains("account=\(player.account) admin=alice") && $0.contains("status=200") })
            #expect(requests.contains { $0.contains("account=\(player.account) ") && $0.contains("status=403") })
            for secret in [alice.token, bob.token, player.token, player.recoveryCode, "ticket 7"] {
                #expect(!recorder.lines.contains { $0.contains(secret) })
            }
        }
    }

    @Test func `The report on an account has everything but secrets`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(.read), try await world.newPlayer())
            let bought = try await world.buy("tenhints", "consumable", ["appAccountToken": .string(player.account)])
            let receipt = try await world.post(bought.signedTransaction, as: player).json["receipt"].text ?? ""
            let key = HTTPFields.key("k")
            #expect(
                try await world.call(.post, "/v1/balances/hints/spend", ["amount": 3], as: player, headers: key)
                    .status == 200)
            let path = "/admin/v1/accounts/\(player.account.uppercased())"
            let answer = try await world.call(.get, path, as: admin)
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
            let report = answer.json
            #expect(report["account"].text == player.account && report["createdAt"].text == World.start.rfc3339)
            #expect(report["sessions"] == [["openedAt": .string(World.start.rfc3339)]])
            #expect(report["entitlements"] == (try await world.entitlements(of: player))["entitlements"])
            #expect(report["balances"][0]["balances"] == ["hints": 7])
            let transaction = report["transactions"][0]
            #expect(transaction["id"].text == bought.transactionID && transaction["owner"].text == player.account)
            #expect(transaction["terms"]["credits"] == ["hints": 10])
            #expect(report["lines"][0]["basis"] == "token")
            #expect(report["receipts"][0]["receipt"].text == receipt && report["receipts"][0]["status"] == "verified")
            #expect(report["spends"][0]["amount"] == 3 && report["spends"][0]["balance"] == 7)
            #expect(report["postings"].array.map { $0["amount"] } == [-3, 10] && report["truncated"] == [])
            let text = String(decoding: answer.bytes, as: UTF8.self)
            for secret in [player.token, player.recoveryCode, bought.signedTransaction] {
                #expect(!text.contains(secret))
            }
            for query in ["transaction=\(bought.originalID)", "receipt=\(receipt)"] {
                let found = try await world.call(.get, "/admin/v1/accounts?\(query)", as: admin).json["accounts"]
                #expect(found.array.map { $0["account"].text } == [player.account], "\(query)")
            }
        }
    }

    /// The app that a client names may be anything; a terminal must not error it for a command.
    @Test func `A printed report has no characters that control a terminal`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let name = "x\u{1B}]0;owned\u{7}\n\r\u{9B}31m\u{202E}\u{2028}"
            let account = try #require(AccountID(text: player.account))
            // As an old ledger may hold it, from before such names were refused.
            let old = Receipt(
                id: "r_old", account: account, kind: .transactionReceipt, content: "x", digest: Data([1]),
                bundleID: BundleID(stored: name))
            _ = try await world.ledger.enqueue(
                old, isVerified: false, retryAt: world.clock.now, within: ReceiptByteBudgets(), at: world.clock.now)
            let context = RecordingContext(catalog: Catalog(), date: world.clock.now)
            let report = try #require(
                try await world.ledger.accountReport(of: account, after: nil, limit: 9, in: context))
            #expect(report.receipts.entries.map(\.bundleID?.text) == [name])
            let text = AccountReportBody(report).text(for: TextOutput(isTerminal: true, hasColours: false))
            #expect(text.contains("x\u{FFFD}]0;owned"), "\(text)")
            for scalar in name.unicodeScalars where !scalar.isASCII || scalar.value < 0x20 {
                #expect(scalar == "\n" || !text.unicodeScalars.contains(scalar))
            }
        }
    }

    /// A receipt that could not be read is found too: the player knows its ID.
    @Test func `Accounts are found by purchase and receipt`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(.read), try await world.newPlayer())
            let unreadable = try await world.post("no receipt", as: player).json["receipt"].text ?? ""
            let table: [(query: String, status: Int, accounts: [String])] = [
                ("receipt=\(unreadable)", 200, [player.account]), ("receipt=r_x", 200, []), ("transaction=1", 200, []),
                ("transaction=1&receipt=1", 400, []), ("account=1", 400, []), ("bundleID=x", 400, []),
                ("transaction=1&limit=1", 400, []), ("transaction=1&after=\(player.account)", 400, []),
            ]
            for row in table {
                let answer = try await world.call(.get, "/admin/v1/accounts?\(row.query)", as: admin)
                #expect(answer.status == row.status, "\(row): \(answer)")
                #expect(answer.json["accounts"].array.compactMap { $0["account"].text } == row.accounts)
            }
            try await world.call(.get, "/admin/v1/accounts/\(UUID())", as: admin)
                .expect(ExpectedProblem(404, "not_found"))
            try await world.call(.get, "/admin/v1/accounts/x", as: admin).expect(.invalid)
        }
    }

    /// Without a search: page by page, the newest first.
    @Test func `The newest accounts are listed page by page`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.read)
            var players: [String] = []
            for _ in 0..<5 {
                players.insert(try await world.newPlayer().account, at: 0)
                world.clock.advance(by: 60)
            }
            let all = try await world.call(.get, "/admin/v1/accounts", as: admin).json
            #expect(all["accounts"].array.compactMap { $0["account"].text } == players, "\(all)")
            #expect(all["next"] == .null)
            #expect(all["accounts"][4]["createdAt"].text == World.start.rfc3339 && all["unclaimed"] == [])
            let first = try await world.call(.get, "/admin/v1/accounts?limit=2", as: admin).json
            #expect(first["accounts"].array.count == 2 && first["next"].text == players[1], "\(first)")
            let rest = try await world.call(.get, "/admin/v1/accounts?limit=3&after=\(players[1])", as: admin).json
            #expect(rest["accounts"].array.compactMap { $0["account"].text } == Array(players[2...]))
            #expect(rest["next"] == .null)
            for query in ["limit=0", "limit=1001", "limit=x", "after=x", "after=\(UUID())"] {
                try await world.call(.get, "/admin/v1/accounts?\(query)", as: admin).expect(.invalid, "\(query)")
            }
        }
    }
}
