import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Access by receipts that wait for the store.
@Suite struct ProvisionalTests {
    private static let (end, soon) = (today + 6 * 3_600, today + 3_600)

    /// Access by a receipt of account 1 for six hours. Account 2 owns purchase 50, and the store reported that 60 was
    /// refunded.
    static let cases: [(copy: Transaction, held: String)] = [
        (bought("words", "1"), "= hangman words non-consumable granted until \(end.rfc3339) [hard-words]"),
        (
            bought("words", "2", original: "1"),
            "= hangman words non-consumable granted until \(end.rfc3339) [hard-words]"
        ),
        (bought("starter", "1"), "= hangman starter non-consumable granted until \(end.rfc3339) [starter]"),
        (bought("night", "1"), "= hangman night non-renewing granted until \(end.rfc3339) [night-theme]"),
        (bought("night", "1", on: day(60)), ""),
        (
            bought("club.month", "1", until: day(120)),
            "= hangman club.month auto-renewable granted until \(end.rfc3339)"
        ),
        (bought("club.month", "1", until: soon), "= hangman club.month auto-renewable granted until \(soon.rfc3339)"),
        (bought("club.month", "1", until: today), ""),
        (bought("club.month", "1", until: day(120), upgraded: true), ""),
        (bought("hints", "1"), ""), (bought("coins", "1"), ""), (bought("words", "1", type: .consumable), ""),
        (bought("gone", "1"), ""), (bought("words", "1", revoked: day(95)), ""), (bought("words", "1", .sandbox), ""),
        (
            bought("words", "1", token: 1),
            "= hangman words non-consumable granted until \(end.rfc3339) [hard-words]"
        ),
        (bought("words", "1", token: 2), ""),
        (
            bought("words", "1", token: 9),
            "= hangman words non-consumable granted until \(end.rfc3339) [hard-words]"
        ),
        (
            bought("words", "1", ownershipType: .familyShared, token: 2),
            "= hangman words non-consumable granted until \(end.rfc3339) [hard-words]"
        ),
        (bought("words", "50"), ""), (bought("words", "51", original: "50"), ""), (bought("words", "60"), ""),
    ]

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("another's", by: 2), bought("words", "50"))
        try await ledger.receive(notification("n", bought("words", "60", revoked: day(95), signed: day(96))))
        return ledger
    }

    @Test(arguments: LedgerKind.allCases, cases.indices)
    func `A waiting receipt gives provisional access to what it may`(kind: LedgerKind, number: Int) async throws {
        let (copy, held) = Self.cases[number]
        let ledger = try await open(kind)
        _ = try await ledger.ledger.enqueue(receipt("a"), retryAt: today, at: today)
        let before = try await ledger.facts()
        let end = try await ledger.openProvisionally(receipt("a"), copy)
        #expect(end == (held.isEmpty ? nil : Self.end))
        #expect(try await ledger.wideHoldings(of: 1) == held)
        #expect(try await ledger.holdings(of: 1) == "", "the setting is 0 again")
        #expect(try await ledger.facts() == before)
        #expect(try await ledger.differences() == [])
        let trail = try await ledger.trail().filter { $0.hasPrefix("receipt.provisional ") }
        #expect(trail.count == (held.isEmpty ? 0 : 1))
    }

    /// Not even one that gives access to bundles for a time.
    @Test(arguments: LedgerKind.allCases)
    func `A consumable gives no provisional access`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let pack = #"{"id": "pack", "type": "consumable", "bundles": ["pack"], "redownloadHours": 999}, "#
        let sold = try catalog(shop.replacing(#"{"id": "words""#, with: pack + #"{"id": "words""#))
        for (number, type) in [nil, ProductType.consumable].enumerated() {
            let receipt = receipt("\(number)")
            try await ledger.openProvisionally(receipt, bought("pack", "\(number)", type: type), in: sold)
            #expect(try await ledger.holdings(of: 1, in: sold, hours: 6) == "")
        }
        try await ledger.record(receipt("0"), bought("pack", "0"), in: sold)
        #expect(try await ledger.holdings(of: 1, in: sold) != "")
    }

    @Test(arguments: LedgerKind.allCases)
    func `Provisional access ends after its hours`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.openProvisionally(receipt("a"), bought("words", "1"))
        #expect(try await ledger.wideHoldings(of: 1, on: Self.end - 0.001) != "")
        #expect(try await ledger.wideHoldings(of: 1, on: Self.end) == "")
        let shorter = "= hangman words non-consumable granted until \((today + 2 * 3_600).rfc3339) [hard-words]"
        #expect(try await ledger.wideHoldings(of: 1, hours: 2) == shorter, "the setting in force counts")
        #expect(try await ledger.wideHoldings(of: 1, on: Self.soon, hours: 1) == "")
        #expect(try await ledger.answer(to: receipt("a"), on: day(200)) == "pending keep")
        #expect(try await ledger.openProvisionally(receipt("a"), bought("words", "1"), on: Self.end) == nil)
    }

    /// Counted from when the receipt was recorded, however often it is sent.
    @Test(arguments: LedgerKind.allCases)
    func `Sending a receipt again does not prolong provisional access`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await ledger.openProvisionally(receipt("a"), bought("words", "1")) == Self.end)
        let before = try await ledger.everything()
        #expect(try await ledger.openProvisionally(receipt("a"), bought("words", "1"), on: today + 60) == Self.end)
        #expect(try await ledger.everything().count == before.count)
        let later = bought("words", "2", original: "1")
        #expect(try await ledger.openProvisionally(receipt("b"), later, on: Self.soon) == Self.end)
        #expect(try await ledger.openProvisionally(receipt("a", by: 2), later) == nil)
        #expect(try await ledger.rows("SELECT account, id FROM provisionalPurchases") == ["\(account(1).text) 1"])
        try await ledger.reject(receipt("a"), .signature)
        #expect(try await ledger.wideHoldings(of: 1) == "", "another receipt does not open it again")
        #expect(try await ledger.openProvisionally(receipt("c"), bought("words", "1")) == nil)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Provisional access ends with the store's answer`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.openProvisionally(receipt("a"), bought("words", "1"))
        let yes = try await ledger.record(receipt("a"), bought("words", "1", signed: today))
        #expect(yes.hasPrefix("verified finish\n1 words: delivered\n= hangman words non-consumable granted ["))
        #expect(try await ledger.wideHoldings(of: 1) == ledger.holdings(of: 1))

        try await ledger.openProvisionally(receipt("b"), bought("starter", "2"))
        let other = try await ledger.record(receipt("b"), bought("night", "3"))
        #expect(!other.contains("starter"), "what the store's answer leaves out is not opened on")
        try await ledger.openProvisionally(receipt("c"), bought("starter", "4"))
        #expect(try await ledger.reject(receipt("c"), .notFound).hasPrefix("rejected notFound"))
        #expect(try await ledger.wideHoldings(of: 1) == ledger.holdings(of: 1))
        #expect(try await ledger.openProvisionally(receipt("c"), bought("starter", "4")) == nil)
        #expect(try await ledger.differences() == [])
    }

    /// Somebody else's claim, and the store's report of a refund, also close what is open.
    @Test(arguments: LedgerKind.allCases)
    func `Another account's claim or a refund ends provisional access`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.openProvisionally(receipt("a"), bought("words", "1"), bought("starter", "2"))
        try await ledger.record(receipt("b", by: 2), bought("words", "1"))
        try await ledger.receive(notification("m", bought("starter", "2", revoked: day(99), signed: day(99))))
        #expect(try await ledger.wideHoldings(of: 1) == "")
    }

    /// A waiting receipt takes nothing from what an account has.
    @Test(arguments: LedgerKind.allCases)
    func `Provisional access takes nothing from what an account has`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(
            receipt("a"), bought("club.month", "1", until: day(120)), bought("night", "2"), bought("words", "3"))
        let year = bought("club.year", "4", original: "1", on: day(99), until: day(464))
        #expect(try await ledger.openProvisionally(receipt("b"), bought("words", "5"), bought("night", "6")) == nil)
        #expect(try await ledger.openProvisionally(receipt("c"), year) == Self.end)
        let wider = try await ledger.wideHoldings(of: 1).split(separator: "\n").map(String.init)
        let before = try await ledger.holdings(of: 1).split(separator: "\n").map(String.init)
        #expect(
            wider.filter { !before.contains($0) } == [
                "= hangman club.year auto-renewable granted until \(Self.end.rfc3339)"
            ])
        #expect(before.allSatisfy(wider.contains))
    }

    /// Of a receipt with more purchases than are opened, the newest.
    @Test(arguments: LedgerKind.allCases)
    func `A receipt gives provisional access to a limited number of purchases`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let most = ProvisionalPurchase.maximumPerReceipt
        let copies = (0...most).map { bought("words", "\(1_000 + $0)", on: day(90) - Double($0)) }
        try await ledger.openProvisionally(receipt("a"), copies: copies)
        let ids = try await ledger.rows("SELECT id FROM provisionalPurchases ORDER BY id")
        #expect(ids == copies.dropLast().map(\.id.text))
    }
}

extension TestLedger {
    /// Keeps the receipt and opens what it was bought for, as if the store were away.
    @discardableResult func openProvisionally(
        _ receipt: Receipt, _ copies: Transaction..., in catalog: Catalog? = nil, on date: Date = today
    ) async throws -> Date? {
        try await openProvisionally(receipt, copies: copies, in: catalog, on: date)
    }

    @discardableResult func openProvisionally(
        _ receipt: Receipt, copies: [Transaction], in catalog: Catalog? = nil, on date: Date = today
    ) async throws -> Date? {
        var context = try context(on: date, hours: 6)
        if let catalog { context.catalog = catalog }
        let kept = try await ledger.enqueue(receipt, retryAt: date, at: date)
        return try await ledger.openProvisionally(kept.receipt, VerifiedReceipt(transactions: copies), in: context)
    }

    /// Entitlements and balances where the setting is this many hours.
    func wideHoldings(of digit: UInt8, on date: Date = today, hours: Double = 6) async throws -> String {
        try await holdings(of: digit, on: date, hours: hours)
    }

    /// Everything but what was opened and what the trail says of it, in no order and without the positions in one.
    func facts() async throws -> [String] {
        // What changed since the sums of reports were made has a number in the order in which it came.
        let apart = ["audit", "postings", "provisionalPurchases", "reportChanges", "terms"]
        let tables = try await everything().filter { row in !apart.contains { row.hasPrefix($0 + " ") } }
        let postings = try await rows(
            "SELECT 'posting', account, app, environment, currency, amount, kind, product, cause FROM postings")
        let trail = try await trail().filter { !$0.hasPrefix("receipt.provisional ") }
        return (tables + postings + trail).sorted()
    }
}
