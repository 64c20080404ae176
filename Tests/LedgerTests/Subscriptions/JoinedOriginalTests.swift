import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// The App Store may give one period two original IDs. Both are one subscription from then on, with the smaller ID.
@Suite struct JoinedOriginalTests {
    /// A month of 30 days with 7 gems.
    private static func month(
        _ id: TransactionID, of original: TransactionID, item: String, on start: Int, token: UInt8? = nil,
        revoked: Date? = nil, ownershipType: Transaction.OwnershipType = .purchased
    ) -> Transaction {
        var month = bought(
            "club.month", id, original: original, on: day(start), until: day(start + 30), revoked: revoked,
            ownershipType: ownershipType, token: token, signed: revoked ?? day(start))
        month.details = PurchaseDetails()
        month.details?.webOrderLineItemID = item
        return month
    }

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    private func observe(_ ledger: TestLedger, _ copies: Transaction...) async throws {
        let name = copies.map { "\($0.id) \($0.signedDate)" }.joined()
        try await ledger.receive(
            AppStoreNotification(
                id: name, type: "DID_RENEW", app: "hangman", environment: .production, signedDate: today, content: name,
                facts: VerifiedReceipt(transactions: copies)))
    }

    private func expect(_ lines: String, _ gems: [Int], in ledger: TestLedger) async throws {
        #expect(try await ledger.rows("SELECT DISTINCT originalID FROM transactions ORDER BY 1") == [lines])
        let owners = "SELECT owner FROM lines WHERE forgottenAt IS NULL"
        #expect(try await ledger.rows(owners).count == 1)
        let credited = "SELECT amount FROM balances ORDER BY account"
        #expect(try await ledger.rows(credited) == gems.map(String.init))
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases, [false, true])
    func `The first presenter owns it, whichever ID came first`(kind: LedgerKind, isReversed: Bool) async throws {
        let ledger = try await open(kind)
        let copies = [
            Self.month("100", of: "100", item: "71", on: 90), Self.month("1000", of: "999", item: "71", on: 90),
        ]
        let (first, second) = isReversed ? (copies[1], copies[0]) : (copies[0], copies[1])
        try await ledger.record(receipt("a"), first)
        let answer = try await ledger.record(receipt("b", by: 2, mayTransfer: false), second)
        #expect(answer.contains("denied ownedByAnotherAccount"), "\(answer)")
        try await expect("100", [7], in: ledger)
        #expect(try await ledger.holdings(of: 1).contains("granted until 2026-05-01T00:00:00Z"))
        #expect(!(try await ledger.holdings(of: 2)).contains("granted"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Two subscriptions that a later copy shows to be one are one`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month("100", of: "100", item: "71", on: 60))
        try await ledger.record(receipt("b", by: 2), Self.month("200", of: "200", item: "72", on: 90))
        try await observe(ledger, Self.month("201", of: "200", item: "71", on: 60))
        try await expect("100", [7, 7], in: ledger)
        let holdings = try await (ledger.holdings(of: 1), ledger.holdings(of: 2))
        #expect(holdings.0.contains("granted until 2026-05-01T00:00:00Z"), "\(holdings.0)")
        #expect(holdings.1.contains("denied transferred"), "\(holdings.1)")
        let audit = "SELECT kind, account FROM audit WHERE kind LIKE 'line.%' ORDER BY sequence"
        let moved = ["line.lost \(account(2).text)", "line.moved \(account(1).text)"]
        #expect(try await ledger.rows(audit) == moved)
        // What comes under the other ID alone, with its renewal, is of the same subscription.
        let next = Self.month("202", of: "200", item: "73", on: 120)
        let key = original("200")
        try await ledger.record(
            receipt("c"), next, renewals: [key: RenewalFacts(willAutoRenew: true, signedDate: day(121))], on: day(121))
        try await expect("100", [14, 7], in: ledger)
        #expect(try await ledger.rows("SELECT originalID FROM renewals") == ["100"])
        // A refund under either ID.
        try await observe(ledger, Self.month("202", of: "200", item: "73", on: 120, revoked: day(130)))
        try await expect("100", [7, 7], in: ledger)
    }

    @Test(arguments: LedgerKind.allCases, [false, true])
    func `A token's payment counts in the joined subscription`(kind: LedgerKind, isReversed: Bool) async throws {
        let ledger = try await open(kind)
        let copies = [
            Self.month("100", of: "100", item: "71", on: 60, token: 1),
            Self.month("200", of: "200", item: "72", on: 90, token: 2),
        ]
        for copy in isReversed ? copies.reversed() : copies { try await observe(ledger, copy) }
        try await observe(ledger, Self.month("101", of: "100", item: "72", on: 90, token: 2))
        try await expect("100", [7, 7], in: ledger)
        #expect(try await ledger.holdings(of: 2).contains("granted until 2026-05-01T00:00:00Z"))
        #expect(try await ledger.holdings(of: 1).contains("denied expired"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Both IDs in one receipt, and a third one later`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(
            receipt("a"), Self.month("300", of: "300", item: "71", on: 90),
            Self.month("200", of: "200", item: "71", on: 90))
        try await expect("200", [7], in: ledger)
        try await ledger.record(receipt("b"), Self.month("1", of: "1", item: "71", on: 90))
        try await expect("1", [7], in: ledger)
        try await ledger.record(receipt("c"), Self.month("301", of: "300", item: "70", on: 60))
        try await expect("1", [14], in: ledger)
        #expect(try await ledger.rows("SELECT originalID, name FROM joinedLines ORDER BY 1") == ["200 1", "300 1"])
    }

    @Test(arguments: LedgerKind.allCases) func `What waits for an owner is joined, too`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await observe(ledger, Self.month("200", of: "200", item: "72", on: 90))
        try await ledger.record(receipt("a"), Self.month("100", of: "100", item: "71", on: 60))
        try await observe(ledger, Self.month("201", of: "200", item: "71", on: 60))
        try await ledger.record(receipt("b"), Self.month("100", of: "100", item: "71", on: 60))
        try await expect("100", [14], in: ledger)
        #expect(try await ledger.holdings(of: 1).contains("granted until 2026-05-01T00:00:00Z"))
    }

    @Test(arguments: LedgerKind.allCases) func `What others share stays apart`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), Self.month("100", of: "100", item: "71", on: 90))
        try await ledger.record(
            receipt("b", by: 2), Self.month("200", of: "200", item: "71", on: 90, ownershipType: .familyShared))
        #expect(try await ledger.rows("SELECT originalID FROM lines ORDER BY 1") == ["100", "200"])
        #expect(try await ledger.holdings(of: 2).contains("granted"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Stored bytes that are read again keep the joined ID`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = Self.month("200", of: "200", item: "71", on: 90)
        try await ledger.record(receipt("a"), Self.month("100", of: "100", item: "71", on: 90), copy)
        var newer = copy
        newer.signedDate = day(99)
        newer.details?.orderID = "M1"
        let sql = try #require(ledger.ledger as? SQLLedger)
        let context = try ledger.context()
        let facts = VerifiedReceipt(transactions: [newer])
        let filled = try await sql.write { try ReceiptRecorder($0, context).fill(facts) }
        #expect(filled == 1)
        try await expect("100", [7], in: ledger)
    }
}
