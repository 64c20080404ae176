import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Random histories of four accounts that show each other's purchases, compared with ``OwnershipModel``.
@Suite struct OwnershipHistoryTests {
    static let shelf: [(product: ProductID, token: UInt8?, environment: InAppPurchase.Environment)] = [
        ("words", nil, .production), ("words", 1, .production), ("starter", 9, .production), ("coins", nil, .sandbox),
        ("starter", 2, .sandbox), ("hints", nil, .production), ("hints", 3, .production), ("hints", 4, .production),
    ]

    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres], campaign(of: 40))
    func `The owners after random claims are those of the model`(kind: LedgerKind, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3, 4)
        var model = OwnershipModel(
            purchases: Self.shelf.map {
                // Account 9 is not one of this server.
                OwnershipModel.Purchase(
                    isProduction: $0.environment == .production, isKept: $0.product == "hints",
                    token: $0.token == 9 ? nil : $0.token)
            })
        var (date, dates) = (day(100), [day(91)])
        for step in 0..<45 {
            date += generator.pick(3_600, 43_200, 108_000, 40 * 86_400)
            let number = Int.random(in: Self.shelf.indices, using: &generator)
            // Bytes that were shown before, by anybody, and bytes of today.
            let again = dates.randomElement(using: &generator) ?? date
            let signed = generator.pick(date, date - 3_600, date - 90_000, again)
            dates.append(signed)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0:
                try await ledger.receive(notification("n\(step)", copy(number, signed)), on: date)
                model.receive(number)
            case 1 where model.purchases[number].owner != nil:
                let account = generator.pick(1, 2, 3, UInt8(4))
                _ = try await ledger.ledger.transfer(
                    key(number), to: LedgerTests.account(account), try act(on: date), in: try ledger.context(on: date))
                model.give(number, to: account, on: date)
            default: try await present(number, copy(number, signed), step, on: date, ledger, &model, &generator)
            }
            try #require(try await owners(in: ledger) == model.owners, "step \(step)")
        }
        #expect(try await ledger.differences() == [])
    }

    private func present(
        _ number: Int, _ copy: Transaction, _ step: Int, on date: Date, _ ledger: TestLedger,
        _ model: inout OwnershipModel, _ generator: inout SeededGenerator
    ) async throws {
        let account = generator.pick(1, 2, 3, UInt8(4))
        let kind = generator.pick(Receipt.Kind.signedTransaction, .appReceipt, .transactionReceipt)
        let (isForDevice, mayTransfer) = (generator.flip(), generator.pick(true, true, false))
        let receipt = receipt("\(step)", by: account, kind: kind, mayTransfer: mayTransfer, isForDevice: isForDevice)
        // Sometimes the store was asked, and has said more about the same purchase, signed now.
        var reported = copy
        reported.signedDate = date
        let copies = generator.flip() ? [copy] : [copy, reported]
        let verified = VerifiedReceipt(transactions: copies, evidence: PresentedEvidence(kind, [copy]))
        let answer = try await ledger.ledger.record(receipt, .success(verified), in: try ledger.context(on: date))
        let remedy = model.present(
            number, by: account, sent: kind == .transactionReceipt ? nil : copy.signedDate, kind: kind,
            isForDevice: isForDevice, mayTransfer: mayTransfer, on: date)
        #expect(answer.remedy == remedy, "step \(step): \(answer.text)")
        let review = try await ledger.ledger.receipt(receipt.id, of: receipt.account, in: try ledger.context(on: date))
        #expect(review?.remedy == remedy)
    }

    private func copy(_ number: Int, _ signed: Date) -> Transaction {
        let entry = Self.shelf[number]
        return bought(entry.product, "\(number)", entry.environment, token: entry.token, signed: signed)
    }

    private func key(_ number: Int) -> OriginalTransaction.Key {
        OriginalTransaction.Key(app: "hangman", environment: Self.shelf[number].environment, originalID: "\(number)")
    }

    private func owners(in ledger: TestLedger) async throws -> [String] {
        try await ledger.rows("SELECT originalID, owner, ownerEvidenceAt, moveCount FROM lines ORDER BY originalID")
    }
}

extension OwnershipModel {
    fileprivate var owners: [String] {
        purchases.enumerated().compactMap { number, purchase in
            purchase.owner.map { owner in
                let shown = purchase.shown.map { "\($0.milliseconds)" } ?? ""
                return "\(number) \(account(owner).text) \(shown) \(purchase.transfers.count)"
            }
        }
    }
}
