import AutoRenewableSubscription
import Consumable
import Foundation
import InAppPurchase
import NonConsumable
import NonRenewingSubscription
import TestSupport
import Testing

/// Delivery is idempotent because the answer is a function of the facts: copies in any order, with any duplicates and
/// in any batches, give the same entitlement.
@Suite struct OrderTests {
    static let seeds = campaign(of: 40)

    @Test(arguments: seeds) func `The order and number of copies of consumables do not matter`(seed: UInt64) throws {
        try check(seed: seed) { Consumable(bundles: ["a"], redownloadHours: 24 * $0) }
    }

    @Test(arguments: seeds)
    func `The order and number of copies of non-consumables do not matter`(seed: UInt64) throws {
        try check(seed: seed) { _ in NonConsumable() }
    }

    @Test(arguments: seeds)
    func `The order and number of copies of non-renewing subscriptions do not matter`(seed: UInt64) throws {
        try check(seed: seed) { NonRenewingSubscription(duration: CalendarDuration(months: $0 % 3, days: $0)) }
    }

    @Test(arguments: seeds)
    func `The order and number of copies of auto-renewable subscriptions do not matter`(seed: UInt64) throws {
        try check(seed: seed) { AutoRenewableSubscription(group: "club", level: $0 % 2 + 1) }
    }

    private func check<Handler: ProductHandler>(seed: UInt64, terms: (Int) -> Handler) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let copies = CopyMaker().copies(using: &generator)
            let renewals: [TransactionID: RenewalFacts] = [
                "1": RenewalFacts(isInBillingRetry: true, signedDate: CopyMaker.day(0))
            ]
            let date = CopyMaker.day(Int.random(in: 0..<120, using: &generator))
            let expected = answer(merge([copies]), terms: terms, renewals: renewals, at: date)
            for _ in 0..<5 {
                let batches = split(copies, using: &generator)
                try #require(answer(merge(batches), terms: terms, renewals: renewals, at: date) == expected)
            }
        }
    }

    /// Shuffled, some twice, in batches as receipts bring them.
    private func split(_ copies: [Transaction], using generator: inout SeededGenerator) -> [[Transaction]] {
        let all = (copies + copies.filter { _ in generator.flip() }).shuffled(using: &generator)
        return all.reduce(into: [[]]) { batches, copy in
            if generator.flip() { batches.append([]) }
            batches[batches.count - 1].append(copy)
        }
    }

    /// As a ledger does: the copies in a batch are merged first, and then with what was known.
    private func merge(_ batches: [[Transaction]]) -> [Transaction] {
        func merged(_ left: Transaction, _ right: Transaction) -> Transaction {
            var merged = left
            merged.merge(right)
            return merged
        }
        let known = batches.reduce(into: [Transaction.Key: Transaction]()) { known, batch in
            let new = Dictionary(batch.map { ($0.key, $0) }, uniquingKeysWith: merged)
            known.merge(new, uniquingKeysWith: merged)
        }
        return Array(known.values)
    }

    private func answer<Handler: ProductHandler>(
        _ transactions: [Transaction], terms: (Int) -> Handler, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> [Entitlement] {
        let purchases = transactions.map {
            Purchase(
                transaction: $0, terms: terms(Int($0.id.text) ?? 1),
                credits: ["gems": 5, "coins": Int($0.id.text) ?? 0])
        }
        let history = PurchaseHistory(purchases: purchases, renewals: renewals)
        return CopyMaker.products.map { Handler.entitlement(to: $0, given: history, at: date) }
    }
}

/// Makes copies of a few transactions of two products, as stores sign them over time.
private struct CopyMaker {
    static let products: [ProductID] = ["a", "b"]

    static func day(_ number: Int) -> Date { Date(milliseconds: 1_767_225_600_000 + number * 86_400_000) }

    func copies(using generator: inout SeededGenerator) -> [Transaction] {
        let subscription = generator.flip()
        return (1...Int.random(in: 1...6, using: &generator)).flatMap { id in
            let first = bought(
                Self.products.randomElement(using: &generator) ?? "a", "\(id)",
                original: generator.pick("\(id)", "1", "2"), on: Self.day(Int.random(in: 0..<60, using: &generator)),
                quantity: Int.random(in: 1...3, using: &generator),
                ownershipType: generator.pick(.purchased, .purchased, .familyShared))
            return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                copy(of: first, subscription: subscription, using: &generator)
            }
        }
    }

    private func copy(
        of first: Transaction, subscription: Bool, using generator: inout SeededGenerator
    ) -> Transaction {
        var copy = first
        copy.signedDate = first.purchaseDate.addingTimeInterval(generator.pick(0, 60, 3600, 86_400))
        copy.isSigned = generator.flip()
        copy.isUpgraded = subscription && generator.pick(false, false, true)
        if subscription { copy.expirationDate = first.purchaseDate.addingTimeInterval(30 * 86_400) }
        if generator.flip() { copy.revocation = Transaction.Revocation(date: copy.signedDate) }
        return copy
    }
}
