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

extension [StandingRefund] {
    /// One refund for each key. Restored copies of one purchase that were recorded under terms of different types have
    /// earned credits each, so that what is taken back is the sum; the first one names the transaction.
    var merged: [StandingRefund] {
        let sorted = sorted { $0.order < $1.order }
        return Dictionary(sorted.map { ($0.refund.key, $0) }) { first, next in
            var sum = first
            sum.refund.amount = first.refund.amount.saturatingAdding(next.refund.amount)
            sum.added = first.added.saturatingAdding(next.added)
            return sum
        }.values.sorted { $0.order < $1.order }
    }
}

extension RefundedPurchase {
    /// Returns the refund of each currency.
    func standingRefunds(of account: AccountID, in scope: Scope) -> [StandingRefund] {
        credits.map { currency, amount in
            let key = AppliedRefund.Key(account: account, scope: scope, transaction: id, currency: currency)
            return StandingRefund(
                transaction: transaction, date: date,
                refund: AppliedRefund(key: key, product: product, amount: amount, forgiven: 0), added: amount)
        }
    }
}

extension AccountState {
    /// Returns the refunds in force of purchases whose credits are, or were, the account's.
    func standingRefunds(in scope: Scope) -> [StandingRefund] {
        (credited.refunded[scope] ?? []).flatMap { $0.standingRefunds(of: account, in: scope) }.merged
    }
}
