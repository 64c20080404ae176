import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The routes and the command that print reports.
@Suite struct ReportRouteTests {
    /// A ledger with a presented purchase, one that nobody presented, a refund and a subscription.
    private static func sell(in ledger: any Ledger) async throws {
        let context = RecordingContext(catalog: try catalog, date: World.start)
        let facts = VerifiedReceipt(transactions: [
            sale("1", "hints", on: "2026-11-01T00:00:00Z", 1_990, "EUR"),
            sale("2", "hints", on: "2026-11-01T23:59:59.999Z", 2_990, "USD", refunded: 40_000),
            sale("3", "club.month", on: "2026-11-02T08:00:00Z", nil, nil),
        ])
        let account = AccountID(UUID())
        try await ledger.createAccount(account, token: Data([1]), recoveryCode: Data([1]), at: World.start)
        _ = try await ledger.record(
            Receipt(id: "r_1", account: account, kind: .signedTransaction, content: "", digest: Data([1])),
            .success(facts), in: context)
        try await notify(of: sale("4", "words, \"hard\"", on: "2026-11-30T12:00:00Z", 990, "EUR"), in: ledger)
    }

    private static func notify(of sale: Transaction, in ledger: any Ledger) async throws {
        _ = try await ledger.record(
            AppStoreNotification(
                id: "n \(sale.id)", type: "ONE_TIME_CHARGE", app: sale.app, environment: .production,
                signedDate: World.start, content: "", facts: VerifiedReceipt(transactions: [sale])),
            in: RecordingContext(catalog: try catalog, date: World.start))
    }

    private static var catalog: Catalog {
        get throws {
            try JSONDecoder().decode(
                Catalog.self, from: Data(ReportHistory.catalog.utf8), configuration: Server.standardHandlers)
        }
    }

    private static func sale(
        _ id: TransactionID, _ product: ProductID, on date: String, _ price: Int?, _ currency: String?,
        refunded share: Int? = nil, of app: BundleID = "hangman"
    ) -> Transaction {
        let date = Date(rfc3339: date) ?? .distantPast
        var sale = Transaction(
            id: id, originalID: id, app: app, environment: .production, productID: product, purchaseDate: date,
            expirationDate: product == "club.month" ? date + 30 * 86_400 : nil,
            revocation: share.map { Transaction.Revocation(date: date + 86_400, reason: 1, percentage: $0) },
            signedDate: date + 2 * 86_400, isSigned: true)
        var details = PurchaseDetails()
        (details.price, details.currency, details.storefront) = (price, currency, "DEU")
        sale.details = details
        return sale
    }

    private static let november = "from=2026-11-01&to=2026-12-01"
    private static let december = Date(rfc3339: "2026-12-01T00:00:00Z") ?? World.start

    @Test func `A report has rows and a total`() async throws {
        try await World.run(products: ReportHistory.catalog, at: Self.december) { world in
            try await Self.sell(in: world.ledger)
            let admin = try await world.newAdmin(.read)
            let report = try await world.call(
                .get, "/admin/v1/reports/purchases?\(Self.november)&by=day", as: admin)
            #expect(report.status == 200)
            let none: JSONValue = [:]
            #expect(
                report.json == [
                    "report": "purchases", "by": "day", "from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z",
                    "environment": "Production",
                    "rows": [
                        [
                            "day": "2026-11-01", "purchases": 2, "renewals": 0, "seatAdditions": 0, "units": 2,
                            "refundedSeats": 0, "trials": 0, "offers": none,
                            "types": ["consumable": 2], "revenue": ["EUR": 1_990, "USD": 2_990], "unpriced": 0,
                        ],
                        [
                            "day": "2026-11-02", "purchases": 1, "renewals": 0, "seatAdditions": 0, "units": 1,
                            "refundedSeats": 0, "trials": 0, "offers": none,
                            "types": ["auto-renewable": 1], "revenue": none, "unpriced": 1,
                        ],
                        [
                            "day": "2026-11-30", "purchases": 1, "renewals": 0, "seatAdditions": 0, "units": 1,
                            "refundedSeats": 0, "trials": 0, "offers": none,
                            "types": ["unknown": 1], "revenue": ["EUR": 990], "unpriced": 0,
                        ],
                    ],
                    "total": [
                        "purchases": 4, "renewals": 0, "seatAdditions": 0, "units": 4, "refundedSeats": 0, "trials": 0,
                        "offers": none,
                        "types": ["consumable": 2, "auto-renewable": 1, "unknown": 1],
                        "revenue": ["EUR": 2_980, "USD": 2_990], "unpriced": 1,
                    ],
                ], "\(report.json)")
            let subscriptions = try await world.call(
                .get, "/admin/v1/reports/subscriptions?\(Self.november)&by=storefront&app=hangman", as: admin)
            #expect(subscriptions.json["app"] == "hangman")
            #expect(subscriptions.json["rows"][0]["active"] == 1 && subscriptions.json["rows"][0]["starts"] == 1)
            let refunds = try await world.call(
                .get, "/admin/v1/reports/refunds?\(Self.november)&by=product&environment=Production", as: admin)
            #expect(refunds.json["rows"][0]["product"] == "hints")
            #expect(
                refunds.json["total"]["refunded"] == ["USD": 1_196] && refunds.json["total"]["percentages"] == ["40": 1]
            )
            for other in ["app=chess", "environment=Sandbox"] {
                let empty = try await world.call(
                    .get, "/admin/v1/reports/refunds?\(Self.november)&by=product&\(other)", as: admin)
                #expect(empty.json["rows"] == [] && empty.json["total"]["refunds"] == 0, "\(other)")
            }
        }
    }

    @Test(arguments: [
        "", "\(november)", "from=2026-11-01&by=day", "to=2026-11-01&by=day", "from=2026-11-01&to=2026-11-01&by=day",
        "from=2026-11-02&to=2026-11-01&by=day", "from=2025-01-01&to=2026-11-01&by=day", "\(november)&by=week",
        "\(november)&by=day&environment=production", "from=2026-11-1&to=2026-12-01&by=day",
        "from=2026-11-01T00:00:00&to=2026-12-01&by=day", "from=2026-02-30&to=2026-03-01&by=day",
    ])
    func `A report with a wrong query is refused`(query: String) async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.read)
            for kind in ReportKind.allCases {
                let answer = try await world.call(.get, "/admin/v1/reports/\(kind)?\(query)", as: admin)
                #expect(answer.status == 400 && answer.json["code"] == "invalid_request", "\(query): \(answer)")
            }
            #expect(try await world.call(.get, "/admin/v1/reports/sales?\(query)", as: admin).status == 404)
        }
    }

    /// Anybody with an app in the App Store may point its notifications here.
    @Test func `What was bought in an app that is not served is in no total`() async throws {
        try await World.run(products: ReportHistory.catalog, environment: World.pagesOn, at: Self.december) { world in
            try await Self.sell(in: world.ledger)
            let admin = try await world.newAdmin(.read)
            let bob = try await world.visitor(.read, name: "bob")
            let (served, shown) = (
                try await Self.report(world, admin, "by=product"), try await bob.get("/admin/reports").html
            )
            #expect(served["notServed"] == .null && !shown.contains("not served"), "\(served)")
            let other = Self.sale("5", "gems", on: "2026-11-20T08:00:00Z", 990, "USD", of: "com.other.app")
            try await Self.notify(of: other, in: world.ledger)
            let total: JSONValue = [
                "app": "com.other.app", "purchases": 1, "renewals": 0, "seatAdditions": 0, "units": 1,
                "refundedSeats": 0, "trials": 0, "offers": .object([:]), "types": ["unknown": 1],
                "revenue": ["USD": 990], "unpriced": 0,
            ]
            for isStored in [false, true] {
                if isStored { _ = try await world.ledger.foldReportDays(at: Self.december) }
                for grouping in ["day", "product", "storefront", "version"] {
                    let report = try await Self.report(world, admin, "by=\(grouping)")
                    #expect(report["notServed"] == [total], "\(grouping), \(isStored): \(report)")
                    #expect(report["total"] == served["total"], "\(grouping), \(isStored): \(report)")
                    if grouping == "product" { #expect(report["rows"] == served["rows"], "\(report)") }
                }
                let page = try await bob.get("/admin/reports").html
                #expect(page.contains("com.other.app") && page.contains("0.99 USD"), "\(page)")
                #expect(page.contains("2 in 30 days") && !page.contains("0.99 EUR, 0.99 USD"), "\(page)")
            }
            let asked = try await Self.report(world, admin, "by=day&app=com.other.app")
            #expect(asked["rows"] == [] && asked["total"]["purchases"] == 0 && asked["notServed"] == [total])
            #expect(try await world.ledger.checkAccounts(at: Self.december) { Issue.record("\($0)") }.differences == 0)
        }
    }

    private static func report(_ world: World, _ admin: Player, _ query: String) async throws -> JSONValue {
        try await world.call(.get, "/admin/v1/reports/purchases?\(november)&\(query)", as: admin).json
    }

    // MARK: The command

    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The reports command prints the same numbers in each format`() async throws {
        let shop = try Shop()
        defer { shop.folder.leave() }
        try await Self.sell(in: shop.ledger)
        let other = Self.sale("5", "gems", on: "2026-11-30T08:00:00Z", 199_600, "USD", of: "com.other.app")
        try await Self.notify(of: other, in: shop.ledger)
        func run(_ arguments: String...) async throws -> Program.Outcome {
            try await shop.run(arguments + ["--from", "2026-11-01", "--to", "2026-12-01"])
        }
        let table = try await run("purchases", "--by", "day")
        let lines = table.output.split(separator: "\n").map { $0.split(separator: /\s{2,}/).joined(separator: "|") }
        #expect(
            lines == [
                "day|purchases|renewals|seatAdditions|units|refundedSeats|trials|offers|types|revenue|unpriced",
                "2026-11-01|2|0|0|2|0|0|-|consumable 2|EUR 1.99, USD 2.99|0",
                "2026-11-02|1|0|0|1|0|0|-|auto-renewable 1|-|1",
                "2026-11-30|1|0|0|1|0|0|-|unknown 1|EUR 0.99|0",
                "total|4|0|0|4|0|0|-|auto-renewable 1, consumable 2, unknown 1|EUR 2.98, USD 2.99|1",
                "not served: com.other.app|1|0|0|1|0|0|-|unknown 1|USD 199.60|0",
            ], "\(table)")
        #expect(Set(table.output.split(separator: "\n").map(\.count)).count == 1, "aligned: \(table.output)")
        let csv = try await run("purchases", "--by", "product", "--format", "csv")
        #expect(
            csv.output == """
                product,purchases,renewals,seatAdditions,units,refundedSeats,trials,types.auto-renewable,types.consumable,types.unknown,revenue.EUR,revenue.USD,unpriced
                club.month,1,0,0,1,0,0,1,0,0,0,0,1
                hints,2,0,0,2,0,0,0,2,0,1990,2990,0
                "words, ""hard""\",1,0,0,1,0,0,0,0,1,990,0,0

                """, "\(csv)")
        let lined = try await run("refunds", "--by", "storefront", "--format", "jsonl")
        #expect(
            lined.output == #"""
                {"full":0,"partial":1,"percentages":{"40":1},"reasons":{"appIssue":1},"refunded":{"USD":1196},"refunds":1,"storefront":"DEU","unpriced":0}

                """#, "\(lined)")
        #expect(try await run("refunds", "--by", "day", "--app", "chess", "--format", "jsonl").output == "")
        let wrong = try await shop.run(["refunds", "--from", "2025-01-01", "--to", "2026-12-01"])
        #expect(wrong.status == 64 && wrong.error.contains("at most 400 days"), "\(wrong)")
        try FileManager.default.removeItem(atPath: shop.folder.path("products.json"))
        let unknown = try await run("purchases")
        #expect(unknown.status == 1 && unknown.output.isEmpty && unknown.error.contains("products.json"), "\(unknown)")
    }

    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The reports command reports the last 30 days by day`() async throws {
        let shop = try Shop()
        defer { shop.folder.leave() }
        let today = Date()
        for days in [1, 40] {
            let (id, date) = (TransactionID(stored: "\(days)"), (today - Double(days) * 86_400).rfc3339)
            try await Self.notify(of: Self.sale(id, "hints", on: date, 990, "EUR"), in: shop.ledger)
        }
        let report = try await shop.run(["purchases"])
        let names = report.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(names == ["day", (today - 86_400).rfc3339.prefix(10), "total"], "\(report)")
        let older = try await shop.run(["purchases", "--to", (today - 20 * 86_400).rfc3339, "--format", "csv"])
        let day = (today - 40 * 86_400).rfc3339.prefix(10)
        #expect(older.output.hasPrefix("day,") && older.output.contains("\n\(day),1,"), "\(older)")
    }

    /// A ledger with the catalog of the purchases.
    private struct Shop {
        let folder: LedgerFolder
        let ledger: SQLLedger

        init() throws {
            folder = try LedgerFolder()
            try Data(ReportHistory.catalog.utf8).write(to: URL(filePath: folder.path("products.json")))
            ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        }

        func run(_ arguments: [String]) async throws -> Program.Outcome {
            let settings = [
                "QUARTERMASTER_PRODUCTS": folder.path("products.json"), "QUARTERMASTER_CONFIG": "",
                "QUARTERMASTER_CONTENT": Project.folder("content"), "QUARTERMASTER_DATABASE": folder.database,
            ]
            return try await Program.run(["report"] + arguments, environment: settings)
        }
    }
}
