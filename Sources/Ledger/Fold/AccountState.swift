import Foundation
package import InAppPurchase

/// The recorded facts of an account, and the fold over them: entitlements and credits are functions of recorded facts.
///
/// The fold is computed once, by the initializer; after it each look-up costs the same however long the history is.
package struct AccountState: Sendable {
    package let account: AccountID
    /// The purchases whose original transaction the account owns or owned, and those that credited it.
    package let records: [RecordedTransaction]
    package let renewals: [OriginalTransaction.Key: RenewalFacts]
    package let context: RecordingContext
    /// The purchases of each history, and its summary without a standing.
    let histories: [HistoryID: (records: [RecordedTransaction], summary: CondensedHistory)]
    /// The entitlements by the purchases that it owns.
    let owned: AccountEntitlements
    /// The results for the purchases that credited it.
    let credited: HandlerResults

    /// - Parameter records: all transactions of these purchases.
    package init(
        account: AccountID, records: [RecordedTransaction], renewals: [OriginalTransaction.Key: RenewalFacts],
        context: RecordingContext
    ) {
        let records = records.purchases
        self.account = account
        self.records = records
        self.renewals = renewals
        self.context = context
        let retaining = RetainingPurchases(records, of: account, renewals: renewals)
        histories = Dictionary(
            uniqueKeysWithValues: Dictionary(grouping: records, by: { HistoryID(of: $0) }).map { id, records in
                var summary = CondensedHistory(summaryOf: records, for: account)
                for product in summary.products where product.keeps {
                    summary.setRetainedTimes(retaining.times(of: product.product, in: id), of: product.product)
                }
                return (id, (records, summary))
            })
        let isOwner = { (record: RecordedTransaction) in record.owner == account }
        let isCredited = { (record: RecordedTransaction) in record.creditedTo == account }
        let results = HandlerResults(on: records.filter(isOwner), renewals: renewals, at: context.date)
        let isTheSame = records.allSatisfy { isOwner($0) == isCredited($0) }
        credited =
            isTheSame ? results : HandlerResults(on: records.filter(isCredited), renewals: renewals, at: context.date)
        owned = AccountEntitlements(
            account: account, histories: histories.mapValues(\.summary), answers: results.answers, renewals: renewals,
            context: context)
    }

    /// The entitlements to all products that the account has or had, in a stable order.
    package var entitlements: [ProductEntitlement] { owned.all }

    /// The access to one product.
    package func access(to product: ProductID, in scope: Scope) -> Access {
        owned.access(to: Subject(scope: scope, product: product))
    }

    /// The access by a recorded transaction, as the app is told for its receipt.
    package func access(by record: RecordedTransaction) -> Access {
        owned.access(by: record, earnsCredits: earnsCredits)
    }

    /// The credits that one product has earned the account, whichever account has access by it now.
    package func credits(of product: ProductID, in scope: Scope) -> Credits {
        credited.entitlements(to: Subject(scope: scope, product: product)).map(\.credits)
            .reduce(into: [:]) { $0.merge($1) { $0.saturatingAdding($1) } }
    }

    /// Whether the transaction increases the credits of its product.
    private func earnsCredits(_ record: RecordedTransaction) -> Bool {
        guard record.creditedTo == account else { return false }
        if credited.followsTheRule(record.subject) { return record.purchaseKey.map(credited.counted.contains) ?? false }
        let others = AccountState(
            account: account, records: records.filter { $0.purchaseKey != record.purchaseKey },
            renewals: renewals, context: context)
        let product = record.transaction.productID
        let (with, without) = (credits(of: product, in: record.scope), others.credits(of: product, in: record.scope))
        return with.contains { $0.value > without[$0.key] ?? 0 }
    }
}
