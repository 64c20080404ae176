import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Purchases that the App Store reported and nobody presented: support finds them and gives them to an account.
@Suite struct UnclaimedPurchaseTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    private func found(_ name: PurchaseName, in ledger: TestLedger) async throws -> [String] {
        let found = try #require(try await ledger.ledger.purchases(named: name))
        let owned = found.originals.map { "\($0.key.originalID) of \($0.owner == account(1) ? 1 : 2)" }
        return owned
            + found.unclaimed.map { purchase in
                let transactions = purchase.transactions.entries.map(\.id.text).joined(separator: ",")
                return "\(purchase.key.originalID) of nobody: \(transactions) since \(purchase.since.rfc3339)"
            }
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unclaimed purchase is found until somebody presents it`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copies = [bought("words", "1", order: "MK1"), bought("hints", "2", order: "MK1")]
        try await ledger.receive(notification("n1", copies[0]))
        try await ledger.receive(notification("n2", copies[1]))
        let waiting = ["1 of nobody: 1 since \(day(90).rfc3339)", "2 of nobody: 2 since \(day(90).rfc3339)"]
        #expect(try await found(.order("MK1"), in: ledger) == waiting)
        for name in [PurchaseName.transaction("1"), .originalTransaction("1")] {
            #expect(try await found(name, in: ledger) == [waiting[0]])
        }
        try await ledger.record(receipt("a"), copies[0])
        #expect(try await found(.order("MK1"), in: ledger) == ["1 of 1", waiting[1]])
        #expect(try await found(.transaction("1"), in: ledger) == ["1 of 1"])
        #expect(try await found(.transaction("3"), in: ledger) == [])
    }

    /// Of a subscription the newest periods, by any of its transactions; the original ID alone is no transaction.
    @Test(arguments: LedgerKind.allCases)
    func `An unclaimed subscription is found as one purchase with its newest periods`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let most = UnclaimedPurchase.maximumTransactions
        for number in 0...most {
            let start = day(number)
            try await ledger.receive(
                notification(
                    "n\(number)",
                    bought(
                        "club.month", TransactionID(stored: "\(100 + number)"), original: "100", on: start,
                        until: day(number + 1))))
        }
        let found = try #require(try await ledger.ledger.purchases(named: .transaction("103"))?.unclaimed)
        #expect(found.map(\.key.originalID) == ["100"] && found.map(\.since) == [day(0)])
        #expect(found.first?.transactions.entries.map(\.id.text) == (1...most).map { "\(100 + $0)" }.reversed())
        #expect(found.first?.transactions.isTruncated == true)
        #expect(try await ledger.ledger.purchases(named: .originalTransaction("103"))?.unclaimed.isEmpty == true)
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unclaimed purchase is given to an account with its credits`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("starter", "1", order: "MK1")
        try await ledger.receive(notification("n1", copy))
        let given = try await ledger.move("1", to: 2)
        var facts = given
        facts.history = nil
        #expect(facts == OriginalTransaction(key: original("1"), owner: account(2), basis: .administrator))
        #expect(try await ledger.holdings(of: 2) == "\(OwnershipTests.starter)\n+ hints 3")
        #expect(try await found(.order("MK1"), in: ledger) == ["1 of 2"])
        let two = account(2).text
        #expect(
            try await ledger.acts() == [
                #"line.moved admin:alice 1 {"accessGainedBy":"\#(two)","after":{"basis":"administrator","owner":"\#(two)"},"#
                    + #""app":"hangman","before":{"basis":null,"owner":null},"creditsStayWith":"\#(two)","#
                    + #""environment":"Production","reason":"ticket 7"}"#
            ])
        let before = try await ledger.everything()
        #expect(try await ledger.move("1", to: 2) == given)
        #expect(try await ledger.everything() == before, "the second time nothing happens")
        #expect(try await ledger.record(receipt("a", by: 2), copy).contains("already delivered"))
        let fresh = bought("starter", "1", signed: day(101))
        #expect(try await ledger.record(receipt("b"), fresh, on: day(101)).hasPrefix("conflict keep"))
        #expect(try await ledger.differences() == [])
    }

    /// A renewal that comes later belongs to the account, and a refund takes the credits back.
    @Test(arguments: LedgerKind.allCases)
    func `Later renewals and refunds of a given purchase concern its new owner`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.receive(notification("n1", bought("club.month", "1", until: day(110))))
        try await ledger.receive(notification("n2", bought("hints", "2", quantity: 3)))
        try await ledger.move("1", to: 1)
        try await ledger.move("2", to: 1)
        let first = try await ledger.holdings(of: 1)
        #expect(first.hasSuffix("gems 7, hints 30"), "\(first)")
        let renewal = bought("club.month", "3", original: "1", on: day(110), until: day(140), signed: day(110))
        try await ledger.receive(notification("n3", renewal), on: day(110))
        try await ledger.receive(
            notification("n4", bought("hints", "2", quantity: 3, revoked: day(110), signed: day(111))), on: day(111))
        let holdings = try await ledger.holdings(of: 1, on: day(111))
        #expect(
            holdings.contains("granted until \(day(140).rfc3339)") && holdings.hasSuffix("gems 14, hints 0"),
            "\(holdings)")
        #expect(try await ledger.differences() == [])
    }

    /// A purchase that a sandbox reset forgot belongs to whoever presents it again.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase forgotten by a sandbox reset is not unclaimed and cannot be given`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let copy = bought("hints", "1", app: "chess", .sandbox)
        var reported = notification("n1", copy)
        (reported.app, reported.environment) = ("chess", .sandbox)
        try await ledger.receive(reported)
        try await ledger.record(receipt("a"), copy)
        _ = try await ledger.ledger.resetSandbox(of: account(1), app: nil, try act(), in: try ledger.context())
        let found = try #require(try await ledger.ledger.purchases(named: .transaction("1")))
        #expect(found.originals.isEmpty && found.unclaimed.isEmpty)
        let key = OriginalTransaction.Key(app: "chess", environment: .sandbox, originalID: "1")
        await #expect(throws: LedgerRefusal.unknownOriginalTransaction) {
            try await ledger.ledger.transfer(key, to: account(2), try act(), in: try ledger.context())
        }
    }
}
