import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerPostgres
@testable import LedgerSQL
@testable import LedgerSQLite

/// The App Store gives a paid period several transaction IDs. It counts once, whichever copies come.
@Suite struct PurchaseCopyTests {
    private static let granted = "= hangman club.month auto-renewable granted 2026-05-01T00:00:00Z"

    /// A copy of one paid month.
    ///
    /// - Parameters:
    ///   - item: Apple's `webOrderLineItemId`; `nil` for a copy without one.
    ///   - milliseconds: of the purchase date, which app receipts leave out.
    private static func copy(
        _ id: TransactionID, item: String? = "71", milliseconds: Int = 250, original: TransactionID = "1",
        revoked: Date? = nil, signed: Int = 91, isSigned: Bool = true,
        ownershipType: Transaction.OwnershipType = .purchased, product: ProductID = "club.month"
    ) -> Transaction {
        var copy = bought(
            product, id, original: original, on: day(90) + Double(milliseconds) / 1_000, until: day(120),
            revoked: revoked, ownershipType: ownershipType, signed: day(signed), isSigned: isSigned)
        copy.details = PurchaseDetails()
        copy.details?.webOrderLineItemID = item
        copy.details = copy.details?.nonEmpty
        return copy
    }

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    private func gems(_ ledger: TestLedger, of digit: UInt8 = 1) async throws -> Int {
        let scope = Scope(app: "hangman", environment: .production)
        let balances = try await ledger.ledger.balances(of: account(digit), scope: scope, in: try ledger.context())
        return balances["gems"] ?? 0
    }

    private func access(_ ledger: TestLedger, of digit: UInt8 = 1) async throws -> [Access] {
        try await ledger.ledger.entitlements(of: account(digit), in: try ledger.context(on: today)).map(\.access)
    }

    private func observe(_ ledger: TestLedger, _ copy: Transaction, type: String = "REFUND") async throws {
        try await ledger.receive(
            AppStoreNotification(
                id: "\(type) \(copy.id) \(copy.signedDate)", type: type, app: "hangman", environment: .production,
                signedDate: copy.signedDate, content: "\(type) \(copy.id) \(copy.signedDate)",
                facts: VerifiedReceipt(transactions: [copy])))
    }

    private static let month: [Transaction] = [
        copy("1"), copy("5"), copy("7", item: nil, milliseconds: 0, isSigned: false), copy("9", item: nil),
    ]

    @Test(arguments: LedgerKind.allCases, 0..<6)
    func `A paid month under several IDs is credited once`(kind: LedgerKind, rotation: Int) async throws {
        let ledger = try await open(kind)
        let copies = rotation < 4 ? Self.month : Self.month.reversed()
        for place in copies.indices {
            let copy = copies[(place + rotation) % copies.count]
            try await ledger.record(receipt("\(place)"), copy)
            #expect(try await gems(ledger) == 7)
        }
        #expect(try await access(ledger) == [.granted(until: day(120))])
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Two months in one receipt are two purchases, and all copies of them no more`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let earlier = bought("club.month", "2", original: "1", on: day(60), until: day(90))
        try await ledger.record(receipt("a"), Self.month[0], Self.month[1], Self.month[2], Self.month[3], earlier)
        #expect(try await gems(ledger) == 14)
        try await ledger.record(receipt("b"), Self.month[3], Self.month[1], Self.month[0])
        #expect(try await gems(ledger) == 14)
        #expect(try await ledger.differences() == [])
    }

    /// A member has another purchase than the one who shares it, and than other members.
    @Test(arguments: LedgerKind.allCases)
    func `Shared periods are purchases of their own`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1"))
        try await ledger.record(
            receipt("b", by: 2), Self.copy("20", original: "20", revoked: day(92), ownershipType: .familyShared))
        try await ledger.record(receipt("c", by: 2), Self.copy("21", original: "21", ownershipType: .familyShared))
        #expect(try await access(ledger) == [.granted(until: day(120))])
        #expect(try await access(ledger, of: 2) == [.granted(until: day(120))])
        #expect(try await gems(ledger) == 7)
        #expect(try await gems(ledger, of: 2) == 0)
    }

    @Test(arguments: LedgerKind.allCases, ["1", "5", "7", "9", "11"] as [TransactionID])
    func `A refund that names any ID of a purchase ends it`(kind: LedgerKind, named: TransactionID) async throws {
        let ledger = try await open(kind)
        for copy in Self.month { try await ledger.record(receipt(copy.id.text), copy) }
        let item = named == "7" || named == "9" ? nil : "71"
        try await observe(ledger, Self.copy(named, item: item, revoked: day(95), signed: 95))
        #expect(try await access(ledger) == [.denied(.revoked)])
        #expect(try await gems(ledger) == 0)
        // No copy under another ID undoes it by its silence, however new it is.
        for copy in Self.month where copy.id != named {
            var again = copy
            again.signedDate = day(99)
            try await ledger.record(receipt("again \(copy.id)"), again)
        }
        #expect(try await access(ledger) == [.denied(.revoked)])
        #expect(try await gems(ledger) == 0)
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A refund that came before its purchase holds for it`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("club.month", "2", original: "1", on: day(60), until: day(90)))
        try await observe(ledger, Self.copy("5", revoked: day(95), signed: 95))
        try await ledger.record(receipt("b"), Self.copy("1", signed: 96))
        #expect(try await gems(ledger) == 7)
        #expect(try await access(ledger) == [.denied(.revoked)])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A reversed refund gives the credits back once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1"))
        for (place, id) in (["1", "5"] as [TransactionID]).enumerated() {
            try await observe(ledger, Self.copy(id, revoked: day(95), signed: 95 + place))
        }
        #expect(try await gems(ledger) == 0)
        for id in ["9", "5"] as [TransactionID] {
            try await observe(ledger, Self.copy(id, signed: 98), type: "REFUND_REVERSED")
            #expect(try await gems(ledger) == 7)
        }
        #expect(try await access(ledger) == [.granted(until: day(120))])
        try await observe(ledger, Self.copy("1", revoked: day(99), signed: 99))
        #expect(try await gems(ledger) == 0)
    }

    @Test(arguments: LedgerKind.allCases)
    func `An extension that names any ID of a purchase extends it`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1"), Self.copy("5"))
        var extended = Self.copy("9", signed: 97)
        extended.expirationDate = day(127)
        try await observe(ledger, extended, type: "RENEWAL_EXTENDED")
        #expect(try await access(ledger) == [.granted(until: day(127))])
        #expect(try await gems(ledger) == 7)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A consumption request about any ID concerns the purchase`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1"))
        try await observe(ledger, Self.copy("9"), type: "CONSUMPTION_REQUEST")
        let sql = try #require(ledger.ledger as? SQLLedger)
        let context = try ledger.context()
        let request = ConsumptionRequest(id: "n", transaction: Self.copy("9").key, date: today)
        let report = try await sql.read { rows in
            let named = try rows.transactions([request.transaction])
            return try ReceiptRecorder(rows, context).consumption(of: try #require(named.first), for: request)
        }
        #expect(report.deliveryStatus == .delivered)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A period that is over is expired unless it brings credits`(kind: LedgerKind) async throws {
        let first = bought("club.month", "1", on: day(60), until: day(90))
        let second = bought("club.month", "2", original: "1", on: day(90), until: day(120))
        let free = try catalog(shop.replacing(#", "credits": {"gems": 7}"#, with: ""))
        for (catalog, reported) in [(free, "denied expired"), (try catalog(), "delivered")] {
            let ledger = try await open(kind)
            let answer = try await ledger.record(receipt("a"), first, second, in: catalog)
            #expect(answer.contains("1 club.month: \(reported)\n2 club.month: delivered"), "\(answer)")
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `A period of another product that begins later has not started`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let free = try catalog(shop.replacing(#", "credits": {"gems": 7}"#, with: ""))
        let year = bought("club.year", "1", on: day(60), until: day(120))
        let month = bought("club.month", "2", original: "1", on: day(120), until: day(150), signed: day(99))
        let answer = try await ledger.record(receipt("a"), year, month, in: free)
        #expect(answer.contains("2 club.month: denied notStarted"), "\(answer)")
        #expect(answer.hasPrefix("verified finish"))
        let later = try await ledger.holdings(of: 1, in: free, on: day(121))
        #expect(later.contains("club.month auto-renewable granted"), "\(later)")
    }

    /// iOS 6 made transactions without an end, dated when they were restored.
    @Test(arguments: LedgerKind.allCases)
    func `A transaction that only shows its line ends nothing`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1"))
        let shown = bought("club.month", "30", original: "1", on: day(98), signed: day(98))
        #expect(try await ledger.record(receipt("b"), shown).contains("verified finish"))
        #expect(try await access(ledger) == [.granted(until: day(120))])
        #expect(try await gems(ledger) == 7)
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Two purchases that a later copy shows to be one are one`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        var restored = Self.copy("5")
        restored.purchaseDate = day(93)
        try await ledger.record(receipt("a"), Self.copy("1", item: nil))
        try await ledger.record(receipt("b"), restored)
        #expect(try await gems(ledger) == 14)
        try await ledger.record(receipt("c"), Self.copy("1", signed: 92))
        #expect(try await gems(ledger) == 7)
        #expect(try await access(ledger) == [.granted(until: day(120))])
        #expect(try await ledger.differences() == [])
    }

    /// Credits of doubled periods are taken back by a repair, not by a start: until then the ledger is as it was, and
    /// nothing is counted a third time.
    @Test(arguments: LedgerKind.allCases, ["w1", nil])
    func `What an earlier version counted twice stays so`(kind: LedgerKind, item: String?) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1", item: "w1"))
        var other = Self.copy("2", item: "w2")
        other.purchaseDate = day(90) + 0.75 + (item == nil ? 5 : 0)
        try await ledger.record(receipt("b"), other)
        let sql = try #require(ledger.ledger as? SQLLedger)
        let script = kind == .postgres ? SchemaVersion30.copiesBefore : Schema.copiesBefore
        try await sql.database.write { db in
            // As an earlier version recorded two copies.
            let facts = item == nil ? ("\"webOrderLineItemID\":\"w2\"", "") : ("w2", "w1")
            try db.run("UPDATE transactions SET facts = replace(facts, '\(facts.0)', '\(facts.1)')", [])
            try db.run("UPDATE transactions SET lineItem = NULL, isDoubled = 0", [])
            if item == nil { try db.run("UPDATE transactions SET purchasedAt = purchasedAt - 5000 WHERE id = '2'", []) }
            for statement in script.split(separator: ";\n") { try db.run("\(statement)", []) }
        }
        #expect(try await ledger.rows("SELECT id FROM transactions WHERE isDoubled = 1") == ["2"])
        #expect(try await gems(ledger) == 14)
        for copy in [Self.copy("3", item: "w1", signed: 97), Self.copy("2", item: "w1", signed: 98)] {
            try await ledger.record(receipt("again \(copy.id)"), copy)
            #expect(try await gems(ledger) == 14)
        }
        let place = "account \(account(1).text), hangman, Production, transaction 2"
        #expect(try await ledger.differences() == [])
        try await repair(ledger, expected: ["\(place) of club.month: counted twice, 7 gems"])
        #expect(try await gems(ledger) == 7)
        #expect(try await ledger.differences() == [])
        try await repair(ledger, expected: [])
        let posted = "SELECT kind, amount, product FROM postings ORDER BY sequence"
        let postings = ["credit 7 club.month", "credit 7 club.month", "correction -7 club.month"]
        #expect(try await ledger.rows(posted) == postings)
        try await observe(ledger, Self.copy("2", item: item, revoked: day(99), signed: 99))
        #expect(try await gems(ledger) == 0)
    }

    /// A sandbox reset may have forgotten a period that was counted twice; it stops no repair of others'.
    @Test(arguments: LedgerKind.allCases)
    func `A period that was forgotten is not repaired`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.copy("1"))
        try await ledger.record(receipt("b", by: 2), Self.copy("20", item: "72", original: "20"))
        let sql = try #require(ledger.ledger as? SQLLedger)
        try await sql.database.write { db in
            try db.run("UPDATE transactions SET isDoubled = 1", [])
            try db.run("UPDATE transactions SET forgottenAt = 1 WHERE id = '1'", [])
        }
        let place = "account \(account(2).text), hangman, Production, transaction 20"
        try await repair(ledger, expected: ["\(place) of club.month: counted twice, 7 gems"])
        try await ledger.record(receipt("c"), Self.copy("1", signed: 97))
        try await repair(ledger, expected: [])
    }

    private func repair(_ ledger: TestLedger, expected: [String]) async throws {
        #expect(try await ledger.ledger.doubledPeriods(limit: 10).map(\.description) == expected)
        let reported = Mutex<[String]>([])
        let count = try await ledger.ledger.repairPeriods(at: today) { period in
            reported.withLock { $0.append(period.description) }
        }
        #expect(count == expected.count && reported.withLock { $0 } == expected)
    }
}
