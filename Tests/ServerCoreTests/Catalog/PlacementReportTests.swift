import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import PostgresSupport
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The report of placements: which of the groups into which they divide accounts bought more.
@Suite struct PlacementReportTests {
    static let text = """
        {"apps": [{"bundleID": "com.example.hangman", "placements": {
            "shop": ["com.example.hangman.hints"],
            "halves": [{"products": ["com.example.hangman.hints"], "when": {"buckets": [0, 49]}},
                       {"products": ["com.example.hangman.words", "com.example.hangman.hints"]}],
            "thirds": [{"products": ["com.example.hangman.club"], "when": {"buckets": [0, 32], "platforms": ["iOS"]}},
                       {"products": ["com.example.hangman.words"], "when": {"buckets": [33, 65]}}]},
          "products": [
            {"id": "com.example.hangman.hints", "type": "consumable", "credits": {"hints": 10}},
            {"id": "com.example.hangman.words", "type": "non-consumable"},
            {"id": "com.example.hangman.club", "type": "auto-renewable", "group": "club"}]}]}
        """

    /// An account with its purchases.
    private struct Player {
        let account: AccountID
        let created: Date
        var purchases: [Transaction] = []

        init(_ number: Int, using generator: inout SeededGenerator) {
            account = AccountID(UUID())
            // Many at one instant, so that pages begin between accounts of the same one.
            created = World.start + Double(Int.random(in: 0..<20, using: &generator)) * 86_400
            guard number % 3 == 0 else { return }
            for place in 0..<Int.random(in: 1...5, using: &generator) {
                purchases += Self.buy("\(1_000_000 + number * 100 + place * 10)", using: &generator)
            }
        }

        /// A purchase, or a subscription with a renewal.
        private static func buy(_ id: String, using generator: inout SeededGenerator) -> [Transaction] {
            let (product, type): (String, ProductType) = generator.pick(
                ("hints", .consumable), ("words", .nonConsumable), ("club", .autoRenewable))
            let date = World.start + Double(Int.random(in: 0..<30 * 86_400, using: &generator))
            let isShared = Int.random(in: 0..<5, using: &generator) == 0
            let periods = type == .autoRenewable ? 2 : 1
            return (0..<periods).map { period in
                let begin = date + Double(period) * 7 * 86_400
                var bought = Transaction(
                    id: TransactionID(stored: "\(Int(id).map { $0 + period } ?? 0)"),
                    originalID: TransactionID(stored: id), app: BundleID(stored: World.app), environment: .production,
                    productID: ProductID(stored: "\(World.app).\(product)"), productType: type, purchaseDate: begin,
                    expirationDate: type == .autoRenewable ? begin + 7 * 86_400 : nil,
                    ownershipType: isShared ? .familyShared : .purchased, signedDate: begin + 1, isSigned: true)
                var details = PurchaseDetails()
                details.price = generator.pick(990, 1_990, nil)
                details.currency = generator.pick("EUR", "USD")
                details.reason = period == 0 ? "PURCHASE" : "RENEWAL"
                bought.details = details
                return bought
            }
        }

        func write(to ledger: any Ledger, _ catalog: Catalog) async throws {
            let name = Data(account.text.utf8)
            try await ledger.createAccount(account, token: name, recoveryCode: name, at: created)
            guard !purchases.isEmpty else { return }
            _ = try await ledger.record(
                Receipt(id: "r_\(account)", account: account, kind: .signedTransaction, content: "", digest: name),
                .success(VerifiedReceipt(transactions: purchases)),
                in: RecordingContext(catalog: catalog, date: World.start + 60 * 86_400))
        }
    }

    private static func catalog(_ text: String = text) throws -> Catalog {
        try CatalogFile.decode(Data(text.utf8), handlers: Server.standardHandlers)
    }

    private static func day(_ number: Double) -> Date { World.start + number * 86_400 }

    private static func open(onPostgres isOnPostgres: Bool) throws -> any Ledger {
        isOnPostgres
            ? try PostgresLedger.open(
                url: try PostgresServer.shared.get().newLedger(), handlers: Server.standardHandlers, limits: .patient)
            : try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
    }

    /// The numbers of a group, counted by the rules as they are documented.
    private static func count(
        _ players: [Player], _ placement: String, _ buckets: ClosedRange<Int>, _ products: Set<String>, _ from: Date,
        _ to: Date
    ) -> JSONValue {
        let group = players.filter { buckets.contains(PlacementRouteTests.bucket(placement, $0.account)) }
        let times = from..<max(from, to)
        func bought(_ player: Player) -> [Transaction] {
            player.purchases.filter { bought in
                bought.details?.reason == "PURCHASE" && bought.ownershipType == .purchased
                    && times.contains(bought.purchaseDate)
                    && products.contains(String(bought.productID.text.dropFirst(World.app.count + 1)))
            }
        }
        let all = group.flatMap(bought)
        let new = group.filter { times.contains($0.created) }
        var revenue: [String: JSONValue] = [:]
        for currency in ["EUR", "USD"] {
            let prices = all.filter { $0.details?.currency == currency }.compactMap { $0.details?.price }
            if !prices.isEmpty { revenue[currency] = .integer(prices.reduce(0, +)) }
        }
        return [
            "newAccounts": .integer(new.count), "newBuyers": .integer(new.count { !bought($0).isEmpty }),
            "buyers": .integer(group.count { !bought($0).isEmpty }), "purchases": .integer(all.count),
            "revenue": .object(revenue), "unpriced": .integer(all.count { $0.details?.price == nil }),
        ]
    }

    private static func numbers(_ row: PlacementReport.Row) -> JSONValue {
        [
            "newAccounts": .integer(row.newAccounts), "newBuyers": .integer(row.newBuyers),
            "buyers": .integer(row.buyers), "purchases": .integer(row.tally[.purchases]),
            "revenue": .object(row.tally.named(.revenue).mapValues { .integer($0) }),
            "unpriced": .integer(row.tally[.unpriced]),
        ]
    }

    @Test(arguments: [false, true])
    func `The report of placements is a count of accounts and purchases`(isOnPostgres: Bool) async throws {
        let (ledger, catalog) = (try Self.open(onPostgres: isOnPostgres), try Self.catalog())
        var generator = SeededGenerator(seed: 47)
        // More than a page of accounts, and of purchases.
        let players = (0..<1_300).map { Player($0, using: &generator) }
        try #require(players.flatMap(\.purchases).count > ReportPage.size)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, player) in players.enumerated() {
                if place >= 32 { try await group.next() }
                group.addTask { try await player.write(to: ledger, catalog) }
            }
            try await group.waitForAll()
        }
        let app = try #require(catalog.apps.first)
        let expected: [(String, ClosedRange<Int>, Set<String>)] = [
            ("halves", 0...49, ["hints", "words"]), ("halves", 50...99, ["hints", "words"]),
            ("thirds", 0...32, ["club", "words"]), ("thirds", 33...65, ["club", "words"]),
            ("thirds", 66...99, ["club", "words"]),
        ]
        for (from, to, since) in [(0.0, 40.0, 0.0), (5, 12, 0), (3.5, 30, 9), (1, 20, 25)] {
            let query = try #require(
                ReportQuery(
                    .purchases, by: .day, from: Self.day(from), to: Self.day(to), app: app.bundleID))
            let report = try await PlacementReport(
                query, of: app, since: ["halves": Self.day(since)], in: ledger, at: Self.day(60))
            #expect(!report.isPartial && report.rows.map(\.placement) == expected.map(\.0))
            for (row, (name, buckets, products)) in zip(report.rows, expected) {
                let begin = Self.day(name == "halves" ? max(from, since) : from)
                #expect(row.from == begin && row.group.buckets == buckets)
                let other = Self.count(players, name, buckets, products, begin, Self.day(to))
                #expect(Self.numbers(row) == other, "\(name) \(buckets) from \(from) to \(to)")
                // Nothing is equal only because nothing is there.
                if from == 0 { #expect(row.newBuyers > 20 && row.tally.named(.revenue).count == 2) }
            }
            let part = try await PlacementReport(
                query, of: app, since: [:], in: ledger, at: Self.day(60), limit: 10)
            #expect(part.isPartial && part.rows.map(\.newAccounts).reduce(0, +) <= 20)
        }
    }

    @Test func `A placement is as it is since a catalog changed it`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let (dates, app) = (PlacementDates(ledger), BundleID(stored: World.app))
        func record(_ text: String, on number: Double) async throws -> [String: Date] {
            try await dates.record(Self.catalog(text), at: Self.day(number))
            return try await dates.since(in: app)
        }
        #expect(try await record(Self.text, on: 1) == [:], "what was there before is as old as may be")
        #expect(try await record(Self.text, on: 2) == [:])
        let moved = Self.text.replacing("[0, 49]", with: "[0, 39]")
        #expect(try await record(moved, on: 3) == ["halves": Self.day(3)])
        let cheaper = moved.replacing("{\"hints\": 10}", with: "{\"hints\": 5}")
        #expect(try await record(cheaper, on: 4) == ["halves": Self.day(3)], "a product is no placement")
        let titled = moved.replacing(#"[33, 65]}}"#, with: #"[33, 65]}, "metadata": {"title": "Now"}}"#)
        #expect(try await record(titled, on: 5) == ["halves": Self.day(3), "thirds": Self.day(5)])
        let added = titled.replacing("\"shop\":", with: "\"start\": [], \"shop\":")
        #expect(
            try await record(added, on: 6)
                == ["halves": Self.day(3), "thirds": Self.day(5), "start": Self.day(6)])
        #expect(try await record(titled, on: 7)["start"] == nil)
        #expect(try await record(added, on: 8)["start"] == Self.day(8))
    }

    @Test func `The route and the page show which group bought more`() async throws {
        try await World.run(products: Self.text, environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.read)
            var counts = [0, 0]
            for _ in 0..<6 {
                let player = try await world.newPlayer()
                let account = try #require(AccountID(text: player.account))
                counts[PlacementRouteTests.bucket("halves", account) < 50 ? 0 : 1] += 1
                let bought = try await world.buy("hints", "consumable", ["price": 1_990, "currency": "EUR"])
                _ = try await world.post(bought.signedTransaction, as: player)
            }
            let day = String(World.start.rfc3339.prefix(10))
            let span = "from=\(day)&to=\(ReportDay(of: World.start).adding(1).name)"
            let report = try await world.call(
                .get, "/admin/v1/reports/placements?\(span)&app=\(World.app)", as: admin)
            #expect(report.status == 200 && report.json["report"] == "placements" && report.json["isPartial"] == false)
            let rows = report.json["rows"]
            #expect(rows[0]["placement"] == "halves" && rows[0]["buckets"] == [0, 49] && rows[0]["variants"] == [1])
            #expect(rows[1]["buckets"] == [50, 99] && rows[1]["variants"] == [2] && rows[4]["variants"] == [])
            for (place, count) in counts.enumerated() {
                #expect(rows[place]["newAccounts"] == .integer(count) && rows[place]["buyers"] == .integer(count))
                #expect(rows[place]["revenue"]["EUR"] == (count == 0 ? .null : .integer(count * 1_990)))
                #expect(rows[place]["conversion"] == (count == 0 ? .null : .integer(1)), "\(rows)")
            }
            let path = "/admin/v1/reports/placements"
            for query in [span, "app=\(World.app)", "\(span)&app=\(World.app)&environment=x"] {
                #expect(try await world.call(.get, "\(path)?\(query)", as: admin).status == 400, "\(query)")
            }
            try await world.call(.get, "\(path)?\(span)&app=none", as: admin).expect(.init(404, "unknown_app"))
            #expect(try await world.call(.get, "\(path)?\(span)&app=\(World.app)&by=day", as: admin).status == 422)
            let bob = try await world.visitor(.read, name: "bob")
            #expect(try await bob.get("/admin/reports").html.contains("/admin/apps/\(World.app)/placements"))
            let page = try await bob.get("/admin/apps/\(World.app)/placements").html
            #expect(page.contains("buckets 0 to 49") && page.contains("50 %") && page.contains("may be chance"))
            #expect(counts.contains(0) || page.contains("100.00 % of the new accounts"), "\(page)")
            #expect(try await bob.get("/admin/apps/\(World.app)/placements?from=x").status == 400)
            #expect(try await bob.get("/admin/apps/none/placements").status == 404)
        }
    }

    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The command prints the groups`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try Data(Self.text.utf8).write(to: URL(filePath: folder.path("products.json")))
        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        let account = try #require(AccountID(text: "0b0e5c1e-0000-4000-8000-000000000001"))
        try await ledger.createAccount(account, token: Data([1]), recoveryCode: Data([1]), at: World.start)
        func run(_ arguments: String...) async throws -> Program.Outcome {
            let settings = [
                "QUARTERMASTER_PRODUCTS": folder.path("products.json"), "QUARTERMASTER_CONFIG": "",
                "QUARTERMASTER_CONTENT": Project.folder("content"), "QUARTERMASTER_DATABASE": folder.database,
            ]
            return try await Program.run(["report", "placements"] + arguments, environment: settings)
        }
        let span = (ReportDay(of: World.start).name, ReportDay(of: World.start).adding(1).name)
        let csv = try await run("--from", span.0, "--to", span.1, "--format", "csv")
        let isFirst = PlacementRouteTests.bucket("halves", account) < 50
        let rest = { (new: Bool) in "\(span.0)T00:00:00Z,\(new ? "1,0,0.0" : "0,0,'-"),0,0,0" }
        #expect(
            csv.output.hasPrefix(
                """
                placement,buckets,variants,from,newAccounts,newBuyers,conversion,buyers,purchases,unpriced
                halves,0 to 49,1,\(rest(isFirst))
                halves,50 to 99,2,\(rest(!isFirst))

                """), "\(csv)")
        let table = try await run("--from", span.0, "--to", span.1)
        #expect(table.output.split(separator: "\n").count == 6, "\(table)")
        #expect(try await run("--by", "day").status == 64)
        let unknown = try await run("--app", "none")
        #expect(unknown.status == 1 && unknown.error.contains("there is no app none"), "\(unknown)")
    }
}
