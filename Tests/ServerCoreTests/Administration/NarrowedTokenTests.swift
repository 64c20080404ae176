import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// Admin tokens for some apps: what they find and do for their own apps, and nothing of others.
@Suite struct NarrowedTokenTests {
    private static let (hangman, chess) = (World.app, "com.example.chess")

    /// A player with a purchase in each of two apps, and a token for each.
    private struct Cast {
        let player: Player
        let words: Bought
        let board: Bought
        let ours: Player
        let theirs: Player

        init(_ world: World) async throws {
            player = try await world.newPlayer()
            words = try await world.buy("tenhints", "consumable")
            board = try await world.buy("tenhints", "consumable", SampleCatalog.inChess)
            for bought in [words, board] {
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            ours = try await world.newAdmin(name: "ours", for: [BundleID(stored: hangman)])
            theirs = try await world.newAdmin(name: "theirs", for: [BundleID(stored: chess)])
        }

        var account: String { "/admin/v1/accounts/\(player.account)" }

        /// The status of an act with the token for ours.
        func act(
            _ path: String, _ body: [String: JSONValue], dryRun: Bool, _ key: String, _ world: World
        ) async throws -> Int {
            let query = dryRun ? "?dryRun=true" : ""
            return try await world.act(path + query, on: player, body, as: ours, key: key).status
        }
    }

    private static func run(_ test: @escaping @Sendable (World, Cast) async throws -> Void) async throws {
        try await World.run(products: SampleCatalog.twoApps, environment: World.pagesOn, hasServerKey: true) {
            try await test($0, try await Cast($0))
        }
    }

    @Test func `A token for some apps sees the part of an account in its apps`() async throws {
        try await Self.run { world, cast in
            let whole = try await world.call(.get, cast.account, as: try await world.newAdmin()).json
            #expect(whole["transactions"].array.count == 2 && whole["sessions"].array.count == 1, "\(whole)")
            for (admin, app, hints) in [(cast.ours, Self.hangman, 10), (cast.theirs, Self.chess, 7)] {
                let part = try await world.call(.get, cast.account, as: admin).json
                #expect(part["account"].text == cast.player.account && part["sessions"] == [])
                for list in ["transactions", "entitlements", "lines", "postings", "balances"] {
                    let apps = Set(part[list].array.compactMap { $0["app"].text })
                    #expect(apps == [app], "\(list): \(part[list])")
                }
                #expect(part["receipts"].array.count == 1 && whole["receipts"].array.count == 2, "\(part)")
                #expect(part["postings"][0]["amount"] == .integer(hints), "\(part)")
            }
        }
    }

    @Test func `A token for some apps finds purchases in its apps only`() async throws {
        try await Self.run { world, cast in
            func found(_ query: String, as admin: Player) async throws -> [String] {
                let answer = try await world.call(.get, "/admin/v1/accounts?\(query)", as: admin)
                #expect(answer.status == 200, "\(query): \(answer)")
                return answer.json["accounts"].array.compactMap(\.["account"].text)
            }
            let receipts = try await world.call(.get, cast.account, as: cast.theirs).json["receipts"]
            let receipt = try #require(receipts[0]["receipt"].text)
            for query in [
                "transaction=\(cast.board.transactionID)", "originalTransaction=\(cast.board.transactionID)",
                "receipt=\(receipt)", "receipt=r_1",
            ] {
                #expect(try await found(query, as: cast.ours) == [], "\(query)")
                let expected = query == "receipt=r_1" ? [] : [cast.player.account]
                #expect(try await found(query, as: cast.theirs) == expected, "\(query)")
            }
            for query in ["", "?after=\(cast.player.account)", "?order=GPA1&bundleID=\(Self.chess)"] {
                let answer = try await world.call(.get, "/admin/v1/accounts\(query)", as: cast.ours)
                #expect(answer.status == 403 && answer.json["code"] == "forbidden", "\(query): \(answer)")
            }
            let answer = try await world.call(.get, "/admin/v1/accounts?order=GPA1", as: cast.ours)
            #expect(answer.status == 200 && answer.json["accounts"] == [], "\(answer)")
        }
    }

    /// Rows about the whole account and other apps are not shown; the trail of everybody is refused.
    @Test func `A token for some apps sees audit rows of one account in its apps only`() async throws {
        try await Self.run { world, cast in
            let alice = try await world.newAdmin()
            for (app, amount) in [(Self.hangman, 5), (Self.chess, 6)] {
                let given = try await world.act(
                    "credits", on: cast.player,
                    ["currency": "hints", "amount": .integer(amount), "bundleID": .string(app)], as: alice, key: app)
                #expect(given.status == 200, "\(given)")
            }
            let path = "/admin/v1/audit?limit=1000&account=\(cast.player.account)"
            let rows = try await world.call(.get, path, as: cast.ours).json["rows"].array
            #expect(Set(rows.compactMap { $0["content"]["app"].text }) == [Self.hangman])
            #expect(rows.allSatisfy { $0["content"]["app"].text == Self.hangman }, "\(rows)")
            #expect(rows.contains { $0["kind"] == "credits.adjusted" && $0["content"]["amount"] == 5 }, "\(rows)")
            #expect(try await world.call(.get, path, as: alice).json["rows"].array.count > rows.count)
            #expect(try await world.call(.get, "/admin/v1/audit", as: cast.ours).status == 403)
        }
    }

    @Test func `A token for some apps acts on its apps and is refused others`() async throws {
        try await Self.run { world, cast in
            let before = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1).first?.sequence
            let grant: [String: JSONValue] = ["product": "com.example.chess.board", "app": .string(Self.chess)]
            let credits: [String: JSONValue] = ["currency": "hints", "amount": 3]
            let other = credits.merging(["bundleID": .string(Self.chess)]) { $1 }
            for dryRun in [true, false] {
                #expect(try await cast.act("credits", other, dryRun: dryRun, "a", world) == 403)
                #expect(try await cast.act("grants", grant, dryRun: dryRun, "a", world) == 403)
                #expect(
                    try await cast.act("sandbox-reset", ["bundleID": .string(Self.chess)], dryRun: dryRun, "a", world)
                        == 403)
                #expect(try await cast.act("sandbox-reset", [:], dryRun: dryRun, "a", world) == 403, "every app's")
            }
            let move = try await world.call(
                .post, "/admin/v1/original-transactions/Production/\(cast.board.transactionID)/transfer",
                ["to": .string(cast.player.account), "reason": "ticket 7", "bundleID": .string(Self.chess)],
                as: cast.ours)
            #expect(move.status == 403, "\(move)")
            let extended = try await world.call(
                .post, "/admin/v1/original-transactions/Production/\(cast.board.transactionID)/extend",
                ["days": 3, "reason": "ticket 7", "bundleID": .string(Self.chess)], as: cast.ours)
            #expect(extended.status == 403, "\(extended)")
            let after = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1).first?.sequence
            #expect(after == before, "nothing was recorded")
            let ours = credits.merging(["bundleID": .string(Self.hangman)]) { $1 }
            #expect(try await cast.act("credits", ours, dryRun: true, "b", world) == 200)
            #expect(try await cast.act("credits", ours, dryRun: false, "b", world) == 200)
            #expect(
                try await cast.act("sandbox-reset", ["bundleID": .string(Self.hangman)], dryRun: true, "b", world)
                    == 200)
            let filter = AuditFilter(kind: "credits.adjusted")
            let row = try #require(
                try await world.ledger.newestAuditRows(matching: filter, before: nil, limit: 1).rows.first)
            #expect(row.actor == "admin:ours" && row.app?.text == Self.hangman)
        }
    }

    /// A bundle that an app names is given away: by a product, with a grant, or to everybody.
    @Test func `A token for some apps cannot name a bundle that other apps alone name`() async throws {
        try await Self.run { world, cast in
            let alice = try await world.newAdmin()
            let settings = { (bundle: String) in #"{"bundleID": "\#(Self.hangman)", "openBundles": ["\#(bundle)"]}"# }
            let product = { (bundle: String) in
                #"{"id": "com.example.hangman.words", "type": "non-consumable", "bundles": ["\#(bundle)"]}"#
            }
            let app = "/admin/v1/apps/\(Self.hangman)"
            func put(_ path: String, _ entry: String, as admin: Player) async throws -> Int {
                try await world.send(.put, path, ByteBuffer(string: entry), as: admin).status
            }
            let before = try world.catalogText
            for query in ["", "?dryRun=true"] {
                #expect(try await put(app + query, settings("night-theme"), as: cast.ours) == 403, "\(query)")
                let path = "\(app)/products/com.example.hangman.words\(query)"
                #expect(try await put(path, product("night-theme"), as: cast.ours) == 403, "\(query)")
            }
            #expect(try world.catalogText == before)
            // Nobody's, and then its own; and what an administrator of everything gave the app.
            let path = "\(app)/products/com.example.hangman.words"
            #expect(try await put(path, product("hard-words"), as: cast.ours) == 201)
            #expect(try await put(app, settings("hard-words"), as: cast.ours) == 200)
            #expect(try await put(app, settings("hard-words"), as: cast.theirs) == 403)
            #expect(try await put(app, settings("night-theme"), as: alice) == 200)
            #expect(try await put(path, product("night-theme"), as: cast.ours) == 200)
        }
    }

    /// The answer about an order in another app is the one about an order that nobody has.
    @Test func `A search for an order does not tell a token for some apps that others have it`() async throws {
        try await Self.run { world, cast in
            try await world.setNotificationURL()
            let order = try await world.order(by: cast.player)
            let found = try await world.find("order=\(order.id)", as: try await world.newAdmin())
            #expect(found.json["accounts"].array.count == 1, "\(found)")
            let unknown = try await world.find("order=MS1", as: cast.theirs)
            #expect(try await world.find("order=\(order.id)", as: cast.theirs).json == unknown.json)
            #expect(try await world.find("order=\(order.id)", as: cast.ours).json["accounts"].array.count == 1)
        }
    }

    /// Taking back and asking again name no app; it is looked up, and what is unknown is refused alike.
    @Test func `For an act that names no app, the app is looked up`() async throws {
        try await Self.run { world, cast in
            let given = try await world.act(
                "grants", on: cast.player,
                ["product": "com.example.chess.board", "app": .string(Self.chess)], as: cast.theirs, key: "a")
            #expect(given.status == 201, "\(given)")
            let grant = try #require(given.json["grant"].text)
            for id in [grant, "g_1"] {
                let answer = try await world.act("grants/\(id)", .delete, on: cast.player, as: cast.ours)
                #expect(answer.status == 403, "\(id): \(answer)")
            }
            #expect(try await world.act("grants/\(grant)", .delete, on: cast.player, as: cast.theirs).status == 204)
            let receipts = try await world.call(.get, cast.account, as: cast.theirs).json["receipts"]
            let receipt = try #require(receipts[0]["receipt"].text)
            for (id, admin, status) in [
                (receipt, cast.ours, 403), ("r_1", cast.ours, 403), (receipt, cast.theirs, 200),
            ] {
                let answer = try await world.call(
                    .post, "/admin/v1/receipts/\(id)/retry", ["reason": "ticket 7"], as: admin)
                #expect(answer.status == status, "\(id): \(answer)")
            }
        }
    }

    @Test func `Lists and reports for a token have its apps only`() async throws {
        try await Self.run { world, cast in
            let apps = try await world.call(.get, "/admin/v1/apps", as: cast.theirs).json["apps"].array
            #expect(apps.compactMap { $0["bundleID"].text } == [Self.chess])
            for kind in ["purchases", "subscriptions", "refunds"] {
                let report = "/admin/v1/reports/\(kind)?by=product&from=2026-01-01&to=2026-12-31"
                for (query, status) in [("", 403), ("&app=\(Self.hangman)", 403), ("&app=\(Self.chess)", 200)] {
                    let answer = try await world.call(.get, report + query, as: cast.theirs)
                    #expect(answer.status == status, "\(kind) \(query): \(answer)")
                }
            }
            // Nothing in it can be read, and its app is unknown.
            #expect(try await world.post("AAAA", as: cast.player).status == 422)
            let rejected = try await world.call(
                .get, "/admin/v1/receipts?status=rejected", as: try await world.newAdmin())
            let part = try await world.call(.get, "/admin/v1/receipts?status=rejected", as: cast.ours)
            #expect(part.status == 200 && part.json["receipts"] == [], "\(part)")
            #expect(rejected.status == 200)
        }
    }

    /// A new app that a token is for may be added with it, and no other.
    @Test func `A token for some apps changes the catalog of its apps only`() async throws {
        try await Self.run { world, cast in
            let id = "com.example.chess.tenmoves"
            let entry: JSONValue = ["type": "consumable", "credits": ["moves": 10]]
            #expect(
                try await world.call(.put, World.productPath(id, app: Self.chess), entry, as: cast.ours).status == 403)
            let put = try await world.call(.put, World.productPath(id, app: Self.chess), entry, as: cast.theirs)
            #expect(put.status == 201, "\(put)")
            for (app, status) in [(Self.hangman, 403), (Self.chess, 200), ("com.example.go", 403)] {
                let answer = try await world.send(
                    .put, "/admin/v1/apps/\(app)", ByteBuffer(string: #"{"sandbox": "testers"}"#), as: cast.theirs)
                #expect(answer.status == status, "\(app): \(answer)")
            }
            let twoApps = try await world.newAdmin(
                name: "both", for: [BundleID(stored: Self.chess), BundleID(stored: "com.example.go")])
            let added = try await world.send(
                .put, "/admin/v1/apps/com.example.go", ByteBuffer(string: "{}"), as: twoApps)
            #expect(added.status == 201, "\(added)")
            let refused = try await world.call(.get, "/admin/v1/overview", as: twoApps)
            #expect(
                refused.json["detail"].text?.contains("It is for com.example.chess, com.example.go, and") == true,
                "\(refused)")
        }
    }

    // MARK: Pages

    @Test func `The pages for a token show its apps only`() async throws {
        try await Self.run { world, cast in
            let ours = try await world.visitor(.write, name: "carol", for: [BundleID(stored: Self.hangman)])
            let front = try await ours.get("/admin")
            #expect(front.status == 303 && front.headers[.location] == "/admin/accounts")
            let list = try await ours.get("/admin/accounts").html
            #expect(!list.contains(cast.player.account) && !list.contains("The newest") && list.contains("some apps"))
            for link in ["/admin/audit", "/admin/tokens", "/admin/bundles", "/admin/store", "/admin/deliveries"] {
                #expect(!list.contains("href=\"\(link)\""), "\(link)")
            }
            let account = try await ours.get("/admin/accounts/\(cast.player.account)").html
            #expect(account.contains(cast.words.transactionID) && !account.contains(cast.board.transactionID))
            #expect(!account.contains(Self.chess) && account.contains("10 hints") && !account.contains("7 hints"))
            #expect(
                !account.contains("/block\"") && !account.contains("Open sessions") && account.contains("/credits\""))
            #expect(account.contains("What is recorded and names your apps"))
            #expect(!account.contains("in the audit trail") && account.contains("/reset-sandbox\""))
            let reset = try await ours.get("/admin/accounts/\(cast.player.account)/reset-sandbox")
            #expect(reset.status == 200 && reset.html.contains("There is nothing to do"))
            #expect(!reset.html.contains("all apps"))
            #expect(!reset.html.contains(Self.chess))
            let credits = try await ours.get("/admin/accounts/\(cast.player.account)/credits").html
            #expect(credits.contains(Self.hangman) && !credits.contains(Self.chess))
            let grant = try await ours.get("/admin/accounts/\(cast.player.account)/grant").html
            #expect(!grant.contains(Self.chess))
            let products = try await ours.get("/admin/products").html
            #expect(products.contains(Self.hangman) && !products.contains(Self.chess))
            #expect(!products.contains("/admin/new-app") && !products.contains("/admin/catalog\""))
            #expect(try await ours.get("/admin/products?app=\(Self.chess)").status == 404)
            let reports = try await ours.get("/admin/reports").html
            #expect(reports.contains("1 in 30 days") && !reports.contains(Self.chess) && !reports.contains(">all<"))
            let move = "/admin/purchases/Production/\(cast.board.transactionID)/transfer?bundleID=\(Self.chess)"
            let answer = try await ours.get(move)
            #expect(answer.status == 403 && answer.html.contains("for some apps only"), "\(answer)")
        }
    }
}
