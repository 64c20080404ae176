@testable import AppStoreService
@testable import QuartermasterServer
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// Receipts that wait or were refused, for the operator: in the pages and over HTTP.
@Suite struct ReceiptPageTests {
    /// Today's refusals are on the first page, whatever was refused over the years.
    @Test func `The newest refusals come first`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let account = try #require(AccountID(text: player.account))
            for number in 0..<51 {
                var receipt = Receipt(
                    id: "r_\(1_000 + number)", account: account, kind: .signedTransaction, content: "\(number)",
                    digest: Data([UInt8(number)]))
                receipt.app = BundleID(stored: number == 7 ? "com.example.other" : World.app)
                let context = RecordingContext(
                    catalog: world.assembly.store.decisions.context.catalog, date: World.start + Double(number))
                let rejection = ReceiptRejection(number == 9 ? .chain : .signature)
                _ = try await world.ledger.record(receipt, .failure(rejection), in: context)
            }
            let first = try await alice.get("/admin/receipts?status=rejected").html
            #expect(first.contains("r_1050") && !first.contains("r_1000") && !first.contains("The newest ones"))
            let older = try #require(first.firstMatch(of: /href="([^"]*)">Older ones/)?.output.1)
            let second = try await alice.get(String(older).unescaped).html
            #expect(second.contains("r_1000") && !second.contains("r_1001") && !second.contains("Older ones"))
            let newest = try #require(second.firstMatch(of: /href="([^"]*)">The newest ones/)?.output.1)
            #expect(try await alice.get(String(newest).unescaped).html.contains("r_1050"))
            for (filter, id) in [("bundleID=com.example.other", "r_1007"), ("reason=chain", "r_1009")] {
                let page = try await alice.get("/admin/receipts?status=rejected&\(filter)").html
                #expect(page.matches(of: /<code>r_/).count == 1 && page.contains(id), "\(filter)")
            }
            let admin = try await world.newAdmin(.read, name: "bob")
            func ids(_ query: String) async throws -> [String] {
                try await world.call(.get, "/admin/v1/receipts?status=rejected&\(query)", as: admin)
                    .json["receipts"].array.compactMap { $0["receipt"].text }
            }
            #expect(try await ids("limit=2") == ["r_1000", "r_1001"], "as before")
            #expect(try await ids("limit=2&order=newest") == ["r_1050", "r_1049"])
            #expect(try await ids("limit=1&order=newest&after=r_1049") == ["r_1048"])
            #expect(try await ids("bundleID=com.example.other") == ["r_1007"])
            #expect(try await ids("bundleID=\(World.app)&reason=chain") == ["r_1009"])
            for query in ["status=pending&reason=chain", "status=rejected&order=x", "status=rejected&reason=x"] {
                #expect(try await world.call(.get, "/admin/v1/receipts?\(query)", as: admin).status == 400, "\(query)")
            }
            let wrong = try await alice.get("/admin/receipts?status=foo&bundleID=x")
            #expect(wrong.status == 400 && wrong.html.contains("value=\"x\""), "\(wrong)")
        }
    }

    /// Whoever looks for a refused receipt reads what to do about it: on the page, over HTTP and below the command's
    /// list.
    @Test(arguments: ReceiptRejection.Reason.allCases)
    func `The remedy of each refusal is shown`(reason: ReceiptRejection.Reason) async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let receipt = Receipt(
                id: "r_1", account: try #require(AccountID(text: player.account)), kind: .signedTransaction,
                content: "x", digest: Data([1]))
            _ = try await world.ledger.record(
                receipt, .failure(ReceiptRejection(reason)), in: world.assembly.store.decisions.context)
            let html = try await alice.get("/admin/receipts?status=rejected").html.unescaped
            #expect(html.contains("\(reason.words) \(reason.remedy)"), "\(html)")
            let admin = try await world.newAdmin(.read, name: "bob")
            let listed = try await world.call(.get, "/admin/v1/receipts?status=rejected", as: admin).json
            #expect(listed["receipts"][0]["remedy"] == .string(reason.remedy), "\(listed)")
            let body = try #require(try await ReceiptListBody(world.ledger, ReceiptListQuery(.rejected, limit: 9)))
            #expect(body.remarks == ["\(reason.rawValue): \(reason.words) \(reason.remedy)"])
        }
    }

    /// A page says what asking again will do, and does it once a reason is given.
    @Test func `A waiting receipt is asked about again from the page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy("tenhints", "consumable")
            _ = try await world.act("faults", ["http": 503])
            let sent = try await world.post(bought.appReceipt, as: player)
            try await world.endFaults()
            let id = try #require(sent.json["receipt"].text)
            let link = "/admin/receipts/\(id)/retry"
            #expect(try await alice.get("/admin/receipts").html.contains("href=\"\(link)\""))
            #expect(try await alice.submit(link, [("reason", " ")]).status == 422)
            #expect(try await world.auditRows(of: "receipt.retried").isEmpty)
            let done = try await alice.submit(link, [("reason", "ticket 7")])
            #expect(done.headers[.location] == "/admin/receipts?status=pending&done=retry", "\(done)")
            let all = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 99)
            let rows = all.filter { $0.kind == "receipt.retried" }
            #expect(rows.map(\.actor) == ["admin:alice"] && rows.first?.content?.contains("ticket 7") == true)
            #expect(try await alice.get(link).html.contains("There is nothing to do"))
            #expect(try await alice.get("/admin/receipts/r_x/retry").status == 404)
            let reader = try await world.visitor(.read, name: "bob")
            #expect(try await !reader.get("/admin/receipts").html.contains("/retry\""))
        }
    }

    /// A receipt that waits says what is in the way: an outage, or a secret that the store refuses.
    @Test func `A waiting receipt is listed with why it waits`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let admin = try await world.newAdmin(.read, name: "bob")
            let troubles: [(fault: JSONValue, trouble: String, words: String)] = [
                (["http": 503], "outage", "the App Store does not answer"),
                (["status": 21004], "refusedCredential", "refuses this server&#39;s key or shared secret"),
            ]
            for (fault, trouble, words) in troubles {
                let bought = try await world.buy("tenhints", "consumable")
                _ = try await world.act("faults", fault)
                let sent = try await world.post(bought.appReceipt, as: player)
                #expect(sent.status == 202, "\(sent)")
                try await world.endFaults()
                let id = try #require(sent.json["receipt"].text)
                let listed = try await world.call(.get, "/admin/v1/receipts?status=pending", as: admin).json["receipts"]
                let receipt = listed.array.first { $0["receipt"].text == id }
                #expect(receipt?["trouble"].text == trouble && receipt?["attempts"] == 1, "\(listed)")
                for path in ["/admin/receipts", "/admin/accounts/\(player.account)"] {
                    let page = try await alice.get(path).html
                    #expect(page.contains(words) && page.contains("asked once"), "\(trouble) \(path)")
                }
                world.clock.advance(by: 60)
            }
        }
    }

    /// The minimum of the app's entry takes nothing away from a player: the version is kept, marked and logged.
    @Test(arguments: [("1.0", false), ("1.0.1", true)])
    func `A receipt of an app version below the minimum is delivered and marked`(
        minimum: String, isBelow: Bool
    ) async throws {
        let log = LogRecorder()
        let catalog = """
            {"apps": [{"bundleID": "\(World.app)", "receiptVersions": {"minimum": "\(minimum)"},
             "products": [\(SampleCatalog.hints)]}]}
            """
        try await World.run(products: catalog, environment: World.pagesOn, logger: log.logger(.warning)) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let admin = try await world.newAdmin(.read, name: "bob")
            let bought = try await world.buy("tenhints", "consumable")
            for outcome in ["delivered", "alreadyDelivered"] {
                let answer = try await world.post(bought.appReceipt, as: player)
                #expect(answer.status == 200 && answer.json["transactions"][0]["outcome"].text == outcome, "\(answer)")
            }
            let account = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            #expect(account["receipts"][0]["appVersion"] == "1.0" && account["transactions"][0]["appVersion"] == "1.0")
            #expect(account["receipts"][0]["belowMinimumVersion"] == (isBelow ? true : .null))
            let page = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(page.contains("App version 1.0, below the minimum") == isBelow)
            let lines = log.lines.filter { $0.hasPrefix("a receipt names an app version below the minimum") }
            #expect(lines.count == (isBelow ? 1 : 0) && lines.allSatisfy { $0.contains("version=1.0") }, "\(lines)")
            let times = "from=2026-11-18&to=2026-11-19"
            let report = try await world.call(.get, "/admin/v1/reports/purchases?\(times)&by=version", as: admin)
            #expect(report.json["rows"][0]["version"] == "1.0" && report.json["total"]["purchases"] == 1)
        }
    }
}
