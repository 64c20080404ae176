import Foundation
import InAppPurchase

/// A refund in force, as it would be applied in one currency without forgiveness.
struct StandingRefund {
    var transaction: Transaction.Key
    var date: Date
    var refund: AppliedRefund
    /// The part of the refund's amount that is not applied yet.
    var added: Int

    /// Returns this refund on top of the part that was applied before; `nil` if all of it was.
    func over(_ settled: AppliedRefund?) -> StandingRefund? {
        guard let settled else { return self }
        guard refund.amount > settled.amount else { return nil }
        var raised = self
        raised.refund.forgiven = settled.forgiven
        raised.added = refund.amount - settled.amount
        return raised
    }

    var order: (Date, TransactionID, Currency) { (date, refund.key.transaction, refund.key.currency) }
}

extension AccountState {
    /// Returns the refunds in force of purchases whose credits are, or were, the account's.
    func standingRefunds(in scope: Scope) -> [StandingRefund] {
        (credited.refunded[scope] ?? []).flatMap { purchase in
            purchase.credits.map { currency, amount in
                let key = AppliedRefund.Key(
                    account: account, scope: scope, transaction: purchase.id, currency: currency)
                return StandingRefund(
                    transaction: purchase.transaction, date: purchase.date,
                    refund: AppliedRefund(key: key, product: purchase.product, amount: amount, forgiven: 0),
                    added: amount)
            }
        }
    }
}
