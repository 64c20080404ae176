import AutoRenewableSubscription
import Foundation
import InAppPurchase
import TestSupport
import Testing

/// The whole life of a subscription: what is granted each day, and that the order of the facts does not matter.
@Suite struct SubscriptionLifeTests {
    @Test func `Access follows the life of a subscription day by day`() {
        for (date, month, year) in SubscriptionLife.course {
            let known = history(of: SubscriptionLife.facts.filter { $0.signedDate <= date })
            #expect(access(given: known, at: date) == [month, year], "\(date.rfc3339)")
        }
    }

    @Test(arguments: campaign(of: 40))
    func `The facts of a subscription give the same access in any order`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (facts, course) = (SubscriptionLife.facts, SubscriptionLife.course)
        for number in 1...facts.count {
            let known = Array(facts.prefix(number))
            let doubled = (known + known.filter { _ in generator.flip() }).shuffled(using: &generator)
            for order in [Array(known.reversed()), known + known, doubled] {
                for (date, _, _) in course {
                    let expected = access(given: history(of: known), at: date)
                    try #require(access(given: history(of: order), at: date) == expected, "\(number), \(date)")
                }
            }
        }
    }

    private func access(given history: PurchaseHistory<AutoRenewableSubscription>, at date: Date) -> [Access] {
        SubscriptionLife.products.map { AutoRenewableSubscription.entitlement(to: $0, given: history, at: date).access }
    }

    /// As a ledger does: copies are merged, and the newest renewal facts apply.
    private func history(of facts: [SubscriptionLife.Fact]) -> PurchaseHistory<AutoRenewableSubscription> {
        var transactions: [Transaction.Key: Transaction] = [:]
        var renewals: [TransactionID: RenewalFacts] = [:]
        for fact in facts {
            switch fact {
            case .transaction(let copy): transactions[copy.key, default: copy].merge(copy)
            case .renewal(let facts):
                let known = renewals[SubscriptionLife.line]
                if known.map({ $0.signedDate < facts.signedDate }) ?? true { renewals[SubscriptionLife.line] = facts }
            }
        }
        let purchases = transactions.values.map {
            Purchase(
                transaction: $0,
                terms: AutoRenewableSubscription(group: "club", level: $0.productID == "club.year" ? 1 : 2))
        }
        return PurchaseHistory(purchases: purchases, renewals: renewals)
    }
}
