import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Purchases, spends, refunds and reversals in any order leave what a model of thirty lines leaves.
@Suite struct RefundSequenceTests {
    static let seeds = campaign(of: 20)
    static let steps = 25

    /// The statement of a copy of a purchase.
    private struct Said {
        var id: Int
        var worth: Int
        /// The date of the refund, and how much of the price it was; nil for all of it.
        var refundedOn: Int?
        var share: Int?
        var signed: Int

        /// The part of its credits that counts.
        var left: Int {
            guard refundedOn != nil else { return worth }
            return worth - Int((Double(worth) * Double(share ?? 100_000) / 100_000 - 0.5).rounded(.up))
        }
    }

    /// The hints, as if everything came one by one.
    private struct Model {
        struct Purchase {
            var newest: Said
            /// The part of its credits that is in the balance or was spent.
            var credited = 0
            var forgiven = 0
        }

        var (balance, isClamped) = (0, false)
        var purchases: [Int: Purchase] = [:]

        /// Copies as of a day; what is older than what is known changes nothing.
        mutating func receive(_ copies: [Said]) {
            for copy in copies where copy.signed > purchases[copy.id]?.newest.signed ?? 0 {
                purchases[copy.id, default: Purchase(newest: copy)].newest = copy
            }
            for (id, purchase) in purchases where purchase.newest.left > purchase.credited {
                let more = purchase.newest.left - purchase.credited
                let forgiven = max(0, purchase.forgiven - more)
                balance += more - (purchase.forgiven - forgiven)
                purchases[id]?.credited = purchase.newest.left
                purchases[id]?.forgiven = forgiven
            }
            let refunded = purchases.filter { $0.value.newest.left < $0.value.credited }
            let oldestFirst = refunded.sorted { ($0.value.newest.refundedOn ?? 0) < ($1.value.newest.refundedOn ?? 0) }
            for (id, purchase) in oldestFirst {
                let less = purchase.credited - purchase.newest.left
                balance -= less
                let forgiven = isClamped ? min(less, max(0, -balance)) : 0
                balance += forgiven
                purchases[id]?.credited = purchase.newest.left
                purchases[id]?.forgiven = purchase.forgiven + forgiven
            }
        }
    }

    @Test(arguments: LedgerKind.allCases, seeds)
    func `Random purchases, spends, refunds and reversals leave the balance of the model`(
        kind: LedgerKind, seed: UInt64
    ) async throws {
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
                _ = try await ledger.ledger.record(
                    receipt("\(step)"), .success(VerifiedReceipt(transactions: copies.map(\.transaction))),
                    in: RecordingContext(catalog: hints, date: day(step)))
                model.receive(copies.map(\.said))
            }
            try #require(try await ledger.hints() == model.balance, "step \(step)")
            try #require(try await ledger.differences() == [], "step \(step)")
        }
    }

    /// Up to four copies of five purchases of two products, half of them refunded, some partially, some of them old.
    private func copies(
        on step: Int, using generator: inout SeededGenerator
    ) -> [(transaction: Transaction, said: Said)] {
        let ids = Array(1...5).shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator))
        return ids.map { id in
            // Each copy of a purchase is signed in an hour of its own.
            let signed = (generator.pick(step, max(1, step - 3)) * 100 + step) * 10 + id
            let refundedOn = generator.pick(nil, signed - 5)
            let quantity = id % 3 + 1
            let date = { (hour: Int) in day(0).addingTimeInterval(Double(hour) * 36) }
            var transaction = bought(
                id == 5 ? "starter" : "hints", "\(id)", on: day(0), quantity: quantity, signed: date(signed))
            let share: Int? = generator.pick(nil, 0, 25_000, 33_333, 50_000, 100_000)
            transaction.revocation = refundedOn.map {
                Transaction.Revocation(date: date($0), reason: 0, percentage: share)
            }
            let worth = quantity * (id == 5 ? 3 : 10)
            return (transaction, Said(id: id, worth: worth, refundedOn: refundedOn, share: share, signed: signed))
        }
    }
}
