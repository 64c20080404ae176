import Foundation
import InAppPurchase
import Testing
import TestSupport

/// Purchases, spends, refunds and reversals in any order leave what a model of thirty lines leaves.
@Suite struct RefundSequenceTests {
    static let seeds: [UInt64] = Array(1...20)
    static let steps = 25

    /// Hints, as if everything came one by one.
    private struct Model {
        struct Purchase {
            var worth: Int
            var newest = 0
            var isCredited = false
            var forgiven = 0
            /// The date of the refund that is known.
            var refundedOn: Int?
        }

        var (balance, isClamped) = (0, false)
        var purchases: [Int: Purchase] = [:]

        /// Copies as of a day; what is older than what is known changes nothing.
        mutating func receive(_ copies: [(id: Int, worth: Int, refundedOn: Int?, signed: Int)]) {
            for copy in copies {
                var purchase = purchases[copy.id] ?? Purchase(worth: copy.worth)
                if copy.signed > purchase.newest {
                    (purchase.newest, purchase.refundedOn) = (copy.signed, copy.refundedOn)
                }
                purchases[copy.id] = purchase
            }
            for (id, purchase) in purchases where purchase.refundedOn == nil && !purchase.isCredited {
                balance += purchase.worth - purchase.forgiven
                purchases[id]?.isCredited = true
                purchases[id]?.forgiven = 0
            }
            let refunded = purchases.filter { $0.value.isCredited && $0.value.refundedOn != nil }
            for (id, purchase) in refunded.sorted(by: { ($0.value.refundedOn ?? 0) < ($1.value.refundedOn ?? 0) }) {
                balance -= purchase.worth
                let forgiven = isClamped ? min(purchase.worth, max(0, -balance)) : 0
                balance += forgiven
                purchases[id]?.isCredited = false
                purchases[id]?.forgiven = forgiven
            }
        }
    }

    @Test(arguments: LedgerKind.allCases, seeds) func isAsTheModelSays(kind: LedgerKind, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let ledger = try kind.open()
        try await ledger.join(1)
        var model = Model()
        for step in 1...Self.steps {
            if generator.pick(false, false, true) { model.isClamped.toggle() }
            if generator.flip() {
                let amount = Int.random(in: 1...25, using: &generator)
                let isEnough = model.balance >= amount
                let answer = try? await ledger.spend(amount, key: "\(step)")
                try #require(answer == (isEnough ? model.balance - amount : nil))
                if isEnough { model.balance -= amount }
            } else {
                let copies = copies(on: step, using: &generator)
                let hints = try catalog(hints: #"{"refund": "\#(model.isClamped ? "clamp" : "debt")"}"#)
                _ = try await ledger.ledger.settle(
                    receipt("\(step)"), .success(VerifiedReceipt(transactions: copies.map(\.transaction))),
                    in: DecisionContext(catalog: hints, date: day(step)))
                model.receive(copies.map(\.said))
            }
            try #require(try await ledger.hints() == model.balance, "step \(step)")
            try #require(try await ledger.differences() == [], "step \(step)")
        }
    }

    /// Up to four copies of five purchases of two products, one in three of them refunded, some of them old.
    private func copies(
        on step: Int, using generator: inout SeededGenerator
    ) -> [(transaction: Transaction, said: (id: Int, worth: Int, refundedOn: Int?, signed: Int))] {
        let ids = Array(1...5).shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator))
        return ids.map { id in
            // Each copy of a purchase is signed in an hour of its own.
            let signed = (generator.pick(step, max(1, step - 3)) * 100 + step) * 10 + id
            let refundedOn = generator.pick(nil, signed - 5)
            let quantity = id % 3 + 1
            let date = { (hour: Int) in day(0).addingTimeInterval(Double(hour) * 36) }
            var transaction = bought(
                id == 5 ? "starter" : "hints", "\(id)", on: day(0), quantity: quantity, signed: date(signed))
            transaction.revocation = refundedOn.map { Transaction.Revocation(date: date($0), reason: 0) }
            return (transaction, (id, quantity * (id == 5 ? 3 : 10), refundedOn, signed))
        }
    }
}
