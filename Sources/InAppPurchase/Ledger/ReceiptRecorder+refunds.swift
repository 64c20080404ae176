import Foundation

extension ReceiptRecorder {
    /// Keeps to the currency's ``RefundPolicy`` after the credits of a scope were posted: what is newly refunded may be
    /// forgiven, and what was forgiven of a refund that is reversed is taken back.
    ///
    /// - Parameter changes: what was just posted for each product.
    func settleRefunds(
        of state: AccountState, in scope: Scope, after changes: [ProductID: Credits], cause: String?
    ) throws {
        let settled = Dictionary(
            try rows.refunds(of: state.account, in: scope).filter { $0.amount > 0 }.map { ($0.key, $0) }
        ) { first, _ in first }
        let standing = state.standingRefunds(in: scope)
        guard !settled.isEmpty || !standing.isEmpty else { return }
        let reversed = Set(settled.keys).subtracting(standing.map(\.refund.key)).compactMap { settled[$0] }
        for refund in reversed.sorted(by: { $0.key.order < $1.key.order }) { try reverse(refund, cause: cause) }
        let new = standing.filter { settled[$0.refund.key] == nil }
        guard !new.isEmpty else { return }
        let taken = changes.mapValues { $0.mapValues { max(0, $0.saturatingMultiplied(by: -1)) } }
        try settle(new, of: state.account, in: scope, taken: taken, cause: cause)
    }

    /// Which of several is forgiven matters when one of them is reversed: it is as if they had come one by one, the
    /// oldest first. A refund that was seen before its purchase took nothing; of a purchase that was not delivered, as
    /// in a closed sandbox, only what the postings say is taken.
    private func settle(
        _ standing: [StandingRefund], of account: AccountID, in scope: Scope, taken: [ProductID: Credits],
        cause: String?
    ) throws {
        var (taken, balances) = (taken, try rows.balances(of: account, in: scope))
        let delivered = try rows.deliveries(of: Set(standing.map(\.transaction)), to: account)
        let newestFirst = standing.sorted { $0.order > $1.order }
        let isDelivered = { (standing: StandingRefund) in delivered[standing.transaction] != nil }
        for standing in newestFirst.filter(isDelivered) + newestFirst.filter({ !isDelivered($0) }) {
            var refund = standing.refund
            let currency = refund.key.currency
            if context.catalog.app(scope.app)?.refundPolicy(of: currency) == .clamp {
                let owed = max(0, (balances[currency] ?? 0).saturatingMultiplied(by: -1))
                let posted = taken[refund.product]?[currency] ?? 0
                refund.forgiven = min(owed, isDelivered(standing) ? refund.amount : min(refund.amount, posted))
                taken[refund.product]?[currency] = max(0, posted - refund.forgiven)
                balances[currency]? += refund.forgiven
            }
            try rows.write(refund)
            try forgive(refund.forgiven, refund, cause: cause)
        }
    }

    private func reverse(_ refund: SettledRefund, cause: String?) throws {
        var reversed = refund
        (reversed.amount, reversed.forgiven) = (0, 0)
        try rows.write(reversed)
        try forgive(refund.forgiven.saturatingMultiplied(by: -1), refund, cause: cause)
    }

    private func forgive(_ amount: Int, _ refund: SettledRefund, cause: String?) throws {
        guard amount != 0 else { return }
        let (account, scope) = (refund.key.account, refund.key.scope)
        try rows.post(
            Posting(
                account: account, scope: scope, currency: refund.key.currency, amount: amount, kind: .forgiveness,
                cause: refund.key.transaction, date: context.date))
        try rows.append(
            AuditEntry(
                .creditsPosted, account: account, subject: cause,
                content: [
                    "kind": .string(Posting.Kind.forgiveness.rawValue), "amount": .integer(amount),
                    "currency": .string(refund.key.currency), "product": .string(refund.product),
                    "transaction": .string(refund.key.transaction), "app": .string(scope.app),
                    "environment": .string(scope.environment.rawValue),
                ], at: context.date))
    }
}

/// A refund that stands, as it would be settled in one currency without forgiving.
struct StandingRefund {
    var transaction: Transaction.Key
    var date: Date
    var refund: SettledRefund

    fileprivate var order: (Date, TransactionID, Currency) { (date, refund.key.transaction, refund.key.currency) }
}

extension AccountState {
    /// Those of purchases whose credits are, or were, the account's.
    func standingRefunds(in scope: Scope) -> [StandingRefund] {
        (credited.refunded[scope] ?? []).flatMap { purchase in
            purchase.credits.map { currency, amount in
                let key = SettledRefund.Key(
                    account: account, scope: scope, transaction: purchase.id, currency: currency)
                return StandingRefund(
                    transaction: purchase.transaction, date: purchase.date,
                    refund: SettledRefund(key: key, product: purchase.product, amount: amount, forgiven: 0))
            }
        }
    }
}

extension SettledRefund.Key {
    var order: (BundleID, String, TransactionID, Currency) {
        (scope.app, scope.environment.rawValue, transaction, currency)
    }
}
