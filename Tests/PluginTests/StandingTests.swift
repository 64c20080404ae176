import AutoRenewableSubscription
import Consumable
import Foundation
import InAppPurchase
import NonConsumable
import NonRenewingSubscription
import TestSupport
import Testing

/// A standing answers as all purchases of the history do, in whatever order it was made.
@Suite struct StandingTests {
    static let seeds = campaign(of: 300)
    private static let products: [ProductID] = ["a", "b", "c"]

    /// Random purchases: renewals with gaps and overlaps, upgrades, refunds by shares, quantities, restored copies.
    private static func transactions(_ generator: inout SeededGenerator, areSubscriptions: Bool) -> [Transaction] {
        var hour = 0
        return (0..<generator.pick(3, 8, 30, 90)).map { number in
            hour += generator.pick(20, 0, 1, 24, 100, 800)
            let id = TransactionID(stored: "\(number + 10)")
            let original: TransactionID = areSubscriptions ? generator.pick("1", "2") : generator.pick(id, id, id, "11")
            let product = generator.pick("a", "b", "c") as ProductID
            let days = generator.pick(1.0, 0.5, 7, 40)
            let start = noon("2026-01-01") + Double(hour) * 3_600
            var transaction = Transaction(
                id: id, originalID: original, app: "hangman", environment: .production, productID: product,
                quantity: areSubscriptions ? 1 : generator.pick(1, 2, 3), purchaseDate: start,
                expirationDate: areSubscriptions ? start + days * 86_400 : nil,
                isUpgraded: areSubscriptions && generator.pick(false, false, true), signedDate: start, isSigned: true)
            if generator.pick(false, false, true) {
                let share: Int? = generator.pick(nil, 33_333, 50_000)
                transaction.revocation = Transaction.Revocation(date: start + 60, percentage: share)
            }
            return transaction
        }
    }

    private static func renewals(_ generator: inout SeededGenerator, from start: Date) -> [TransactionID: RenewalFacts]
    {
        var renewals: [TransactionID: RenewalFacts] = [:]
        for id in ["1", "2"] as [TransactionID] where generator.flip() {
            let date = start + Double.random(in: -50...50, using: &generator) * 86_400
            renewals[id] = RenewalFacts(
                willAutoRenew: generator.flip(), isInBillingRetry: generator.flip(),
                gracePeriodExpirationDate: generator.pick(nil, date + 86_400 * 3),
                expirationReason: generator.pick(nil, 1), signedDate: date)
        }
        return renewals
    }

    @Test(arguments: seeds) func `Standings of consumables answer as their whole histories do`(seed: UInt64) throws {
        try compare(seed) { generator in
            Consumable(
                bundles: generator.pick(["x"], nil, []), redownloadHours: generator.pick(24, 1, 200),
                partialRefund: generator.pick(nil, .revoke))
        }
    }

    @Test(arguments: seeds)
    func `Standings of non-consumables answer as their whole histories do`(seed: UInt64) throws {
        try compare(seed) { NonConsumable(partialRefund: $0.pick(nil, .revoke)) }
    }

    @Test(arguments: seeds)
    func `Standings of non-renewing subscriptions answer as their whole histories do`(seed: UInt64) throws {
        try compare(seed) { generator in
            let duration: CalendarDuration = generator.pick(
                CalendarDuration(days: 1), CalendarDuration(months: 1), CalendarDuration(seconds: 3_600))
            return NonRenewingSubscription(duration: duration, group: "g")
        }
    }

    @Test(arguments: seeds)
    func `Standings of auto-renewable subscriptions answer as their whole histories do`(seed: UInt64) throws {
        try compare(seed, areSubscriptions: true) { generator in
            AutoRenewableSubscription(
                group: "g", level: generator.pick(nil, 1, 2), renewalLeewayMinutes: generator.pick(nil, 60))
        }
    }

    private func compare<Handler: Referenced>(
        _ seed: UInt64, areSubscriptions: Bool = false, _ terms: (inout SeededGenerator) -> Handler
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let transactions = Self.transactions(&generator, areSubscriptions: areSubscriptions)
        let purchases = transactions.map { Purchase(transaction: $0, terms: terms(&generator)) }
        let last = try #require(transactions.last?.purchaseDate)
        let renewals = Self.renewals(&generator, from: last)
        let history = PurchaseHistory(purchases: purchases.shuffled(using: &generator), renewals: renewals)
        let standing = Handler.condensed(Handler.standing(of: history))
        #expect(standing == added(history.purchases, from: 0))
        if generator.flip() { #expect(standing == added(history.purchases.shuffled(using: &generator), from: 0)) }
        let stored = try JSONDecoder().decode(Handler.Standing.self, from: JSONEncoder().encode(standing))
        #expect(stored == standing)
        for hours in (0..<40).map({ _ in Double.random(in: -3_000...1_500, using: &generator) }) + [0, 0.01, 23.99] {
            let date = last + hours * 3_600
            for product in Self.products
            where history.purchases.contains(where: { $0.transaction.productID == product }) {
                let whole = Handler.referenceAccess(to: product, given: history, at: date)
                let entitlement = Handler.entitlement(to: product, given: history, at: date)
                try #require(entitlement.access == whole.access && entitlement.runs == whole.runs, "\(product) \(date)")
                let access = Handler.access(to: product, given: stored, renewals: renewals, at: date)
                if (hours >= 0 && !areSubscriptions) || transactions.count <= 3 { try #require(access != nil) }
                if let access { try #require(access == whole.access, "\(product) \(date)") }
                try #require(Handler.runs(of: product, in: stored).suffix(20) == whole.runs.suffix(20))
            }
        }
    }

    /// The standing made by adding one purchase after the other, and made anew where one cannot be added.
    private func added<Handler: CondensingHandler>(_ purchases: [Purchase<Handler>], from start: Int)
        -> Handler.Standing
    {
        let condensed = { (count: Int) in
            Handler.condensed(Handler.standing(of: PurchaseHistory(purchases: Array(purchases.prefix(count)))))
        }
        var standing = condensed(start)
        for (number, purchase) in purchases.enumerated().dropFirst(start) {
            standing = Handler.standing(standing, adding: purchase) ?? condensed(number + 1)
        }
        return standing
    }

    /// The stored form is short, however long the history.
    @Test func `A standing stays small however long its history is`() throws {
        let passes = (0..<2_000).map { number in
            Purchase(
                transaction: bought("a", "\(number)", on: noon("2026-01-01") + Double(number) * 2 * 86_400),
                terms: NonRenewingSubscription(duration: CalendarDuration(days: 1)))
        }
        let whole = NonRenewingSubscription.standing(of: PurchaseHistory(purchases: passes))
        let stored = try JSONEncoder().encode(NonRenewingSubscription.condensed(whole))
        #expect(stored.count < 3_000)
    }
}
