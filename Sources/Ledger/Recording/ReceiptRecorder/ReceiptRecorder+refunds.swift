import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// Applies the currency's ``/InAppPurchase/RefundPolicy`` after the credits of a scope were posted: credits that
    /// are newly refunded may be forgiven, and forgiven credits of a refund that is reversed, or reduced to a smaller
    /// share, are taken back.
    ///
    /// - Parameters:
    ///   - refunded: the refunds in force of purchases whose credits are, or were, the account's.
    ///   - applied: those of the same purchases that were applied before. A refund that is not in force is reversed.
    ///   - changes: the credits that were just posted for each product.
    func applyRefunds(
        _ refunded: [RefundedPurchase], over applied: [AppliedRefund], of account: AccountID, in scope: Scope,
        after changes: [ProductID: Credits], cause: String?
    ) throws {
        let settled = Dictionary(applied.filter { $0.amount > 0 }.map { ($0.key, $0) }) { first, _ in first }
        let standing = refunded.flatMap { $0.standingRefunds(of: account, in: scope) }.merged
        guard !settled.isEmpty || !standing.isEmpty else { return }
        let amounts = Dictionary(standing.map { ($0.refund.key, $0.refund.amount) }) { first, _ in first }
        let reduced = settled.values.filter { $0.amount > amounts[$0.key] ?? 0 }
        for refund in reduced.sorted(by: { $0.key.order < $1.key.order }) {
            try reduce(refund, to: amounts[refund.key] ?? 0, cause: cause)
        }
        let raised = standing.compactMap { $0.over(settled[$0.refund.key]) }
        guard !raised.isEmpty else { return }
        let deducted = changes.mapValues { $0.mapValues { max(0, $0.saturatingMultiplied(by: -1)) } }
        try applyRefunds(raised, of: account, in: scope, deducted: deducted, cause: cause)
    }

    /// Applies new and increased refunds.
    ///
    /// If one of several refunds is reversed, it matters which of them was forgiven: they are treated as if they had
    /// come one by one, the oldest first. A refund that was recorded before its purchase took nothing; for a purchase
    /// that was not delivered, as in a closed sandbox, only what was posted as taken can be forgiven.
    private func applyRefunds(
        _ standing: [StandingRefund], of account: AccountID, in scope: Scope, deducted: [ProductID: Credits],
        cause: String?
    ) throws {
        var (deducted, balances) = (deducted, try rows.balances(of: account, in: scope))
        let delivered = try rows.deliveries(of: Set(standing.map(\.transaction)), to: account)
        let newestFirst = standing.sorted { $0.order > $1.order }
        let isDelivered = { (standing: StandingRefund) in delivered[standing.transaction] != nil }
        for standing in newestFirst.filter(isDelivered) + newestFirst.filter({ !isDelivered($0) }) {
            var refund = standing.refund
            let currency = refund.key.currency
            var forgiven = 0
            if context.catalog.app(scope.app)?.refundPolicy(of: currency) == .clamp {
                let owed = max(0, (balances[currency] ?? 0).saturatingMultiplied(by: -1))
                let posted = deducted[refund.product]?[currency] ?? 0
                forgiven = min(owed, isDelivered(standing) ? standing.added : min(standing.added, posted))
                deducted[refund.product]?[currency] = max(0, posted - forgiven)
                balances[currency]? += forgiven
            }
            refund.forgiven += forgiven
            try rows.write(refund)
            try forgive(forgiven, refund, cause: cause)
        }
    }

    /// Reduces a refund. Its forgiven credits are taken back first, since they were never really taken.
    private func reduce(_ refund: AppliedRefund, to amount: Int, cause: String?) throws {
        var reduced = refund
        reduced.amount = amount
        reduced.forgiven = max(0, refund.forgiven - (refund.amount - amount))
        try rows.write(reduced)
        try forgive(reduced.forgiven - refund.forgiven, refund, cause: cause)
    }

    private func forgive(_ amount: Int, _ refund: AppliedRefund, cause: String?) throws {
        guard amount != 0 else { return }
        let (account, scope) = (refund.key.account, refund.key.scope)
        try rows.post(
            Posting(
                account: account, scope: scope, currency: refund.key.currency, amount: amount, kind: .forgiveness,
                cause: refund.key.transaction.text, date: context.date))
        try rows.append(
            AuditEntry(
                .creditsPosted, account: account, subject: cause,
                content: [
                    "kind": .string(Posting.Kind.forgiveness.rawValue), "amount": .integer(amount),
                    "currency": .string(refund.key.currency.text), "product": .string(refund.product.text),
                    "transaction": .string(refund.key.transaction.text), "app": .string(scope.app.text),
                    "environment": .string(scope.environment.rawValue),
                ], at: context.date))
    }

    /// Returns the consumption of a purchase by the account that was credited for it.
    ///
    /// After a refund of a share of the price, it is the consumption of the rest: what the refund took back cannot be
    /// consumed.
    package func consumption(
        of record: RecordedTransaction, for request: ConsumptionRequest
    ) throws -> ConsumptionReport {
        let keys = record.purchaseKey.map { [$0] } ?? []
        let copies = try rows.transactions(ofPurchases: Set(keys))
        let transaction = (copies.purchase ?? record).transaction
        let delivered = try rows.firstDelivery(
            of: Set(copies.map(\.transaction.key)).union([record.transaction.key]), to: record.creditedTo)
        // The App Store refuses a share of an auto-renewable subscription.
        var report = ConsumptionReport(
            .undelivered, hasSample: try hasSample(record), consumedMilliPercent: transaction.mayRenew ? nil : 0)
        guard let delivered else { return report }
        let consumed = try consumedMilliPercent(of: transaction, record)
        if delivered > request.date, consumed ?? 0 == 0, try rows.isLate(notification: request.id) {
            report.deliveryStatus = .serverOutage
        } else {
            (report.deliveryStatus, report.consumedMilliPercent) = (.delivered, consumed)
        }
        return report
    }

    private func consumedMilliPercent(of transaction: Transaction, _ record: RecordedTransaction) throws -> Int? {
        let balances = try rows.balances(of: record.creditedTo, in: record.scope)
        // A balance does not tell which purchase its credits are from: the rest is attributed to this purchase first,
        // in the customer's favour.
        let parts = (record.terms?.credits(for: transaction) ?? [:]).map { currency, unit in
            let bought = unit.saturatingMultiplied(by: transaction.units)
            // At least 0: the share is at most the amount.
            let earned = bought &- (transaction.revocation?.share.of(bought) ?? 0)
            return (earned: earned, left: min(max(0, balances[currency] ?? 0), earned))
        }
        let earned = parts.reduce(0) { $0.saturatingAdding($1.earned) }
        let left = parts.reduce(0) { $0.saturatingAdding($1.left) }
        guard earned > 0, transaction.expirationDate == nil else { return nil }
        return Int((Double(earned - left) / Double(earned) * 100_000).rounded())
    }

    private func hasSample(_ record: RecordedTransaction) throws -> Bool {
        let (account, scope) = (record.creditedTo, record.scope)
        guard context.catalog.app(scope.app)?.openBundles.isEmpty != false else { return true }
        guard try rows.expectedStartingCredits(of: account, in: scope, context).isEmpty else { return true }
        return try rows.startingCreditGrants(of: account).contains { $0.scope == scope }
    }
}

extension AppliedRefund.Key {
    var order: (BundleID, String, TransactionID, Currency) {
        (scope.app, scope.environment.rawValue, transaction, currency)
    }
}
