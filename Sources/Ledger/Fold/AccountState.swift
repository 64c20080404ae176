import Foundation
package import InAppPurchase

/// The recorded facts of an account, and the fold over them: entitlements are a function of recorded facts.
///
/// The fold is computed once, by the initializer; after it each look-up costs the same however long the history is.
package struct AccountState: Sendable {
    package let account: AccountID
    /// The purchases whose original transaction the account owns or owned, and those that credited it.
    package let records: [RecordedTransaction]
    package let renewals: [OriginalTransaction.Key: RenewalFacts]
    package let context: RecordingContext
    let recordsByProduct: [Subject: [RecordedTransaction]]
    /// The results for the purchases that it owns.
    let owned: HandlerResults
    /// The results for the purchases that credited it.
    let credited: HandlerResults
    private(set) var accesses: [Subject: Access] = [:]
    /// The end of the last period that it owns of each product.
    let lastEnds: [Subject: Date]

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
        recordsByProduct = Dictionary(grouping: records, by: \.subject)
        lastEnds = records.reduce(into: [:]) { ends, record in
            guard record.owner == account, let end = record.transaction.expirationDate else { return }
            ends[record.subject] = max(end, ends[record.subject] ?? end)
        }
        let isOwner = { (record: RecordedTransaction) in record.owner == account }
        let isCredited = { (record: RecordedTransaction) in record.creditedTo == account }
        owned = HandlerResults(on: records.filter(isOwner), renewals: renewals, at: context.date)
        let isTheSame = records.allSatisfy { isOwner($0) == isCredited($0) }
        credited =
            isTheSame ? owned : HandlerResults(on: records.filter(isCredited), renewals: renewals, at: context.date)
        for subject in recordsByProduct.keys { accesses[subject] = decideAccess(to: subject) }
    }

    /// The entitlements to all products that the account has or had, in a stable order.
    package var entitlements: [ProductEntitlement] {
        let offers = IntroductoryOffers(records)
        return recordsByProduct.map { subject, records in
            let latest = records.max { PurchaseStamp($1.transaction).isLater(than: PurchaseStamp($0.transaction)) }
            let type = latest?.terms?.type ?? latest?.transaction.provenType ?? ProductType(rawValue: "unknown")
            let access = access(to: subject.product, in: subject.scope)
            var entitlement = ProductEntitlement(
                scope: subject.scope, product: subject.product, type: type, access: access,
                bundles: bundles(of: subject, records),
                retained: access.isGranted ? RetainedTimes() : retainedTimes(of: subject))
            if let newest = newestOwned(subject) {
                entitlement.purchase = PurchaseFacts(newest.transaction)
                entitlement.subscription = subscriptionStatus(of: newest, offers)
                entitlement.runs = runs(of: subject)
            }
            return entitlement
        }
        .sorted { $0.order < $1.order }
    }

    private func bundles(of subject: Subject, _ records: [RecordedTransaction]) -> [BundleName] {
        let owned = records.filter { $0.owner == account }
        guard !owned.isEmpty else { return [] }
        let bought = owned.map { ($0.transaction.purchaseDate, $0.transaction.id, $0.terms?.bundles ?? []) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.flatMap(\.2)
        let now = context.catalog.product(subject.product, of: subject.scope.app)?.bundles ?? []
        return (bought + now).unique
    }
}

/// The parts of an entitlement besides access.
extension AccountState {
    /// The newest transaction of the product that the account owns, by which it is entitled.
    func newestOwned(_ subject: Subject) -> RecordedTransaction? {
        (recordsByProduct[subject] ?? []).filter { $0.owner == account && !$0.transaction.isUpgraded }
            .max { ($0.transaction.purchaseDate, $0.transaction.id) < ($1.transaction.purchaseDate, $1.transaction.id) }
    }

    /// The state of the subscription whose newest period the record is; `nil` for other products.
    func subscriptionStatus(of record: RecordedTransaction, _ offers: IntroductoryOffers) -> SubscriptionStatus? {
        guard record.transaction.mayRenew else { return nil }
        return SubscriptionStatus(
            period: record.transaction, renewal: renewals[record.transaction.originalTransactionKey],
            isIntroductoryOfferUsed: offers.isUsed(inGroupOf: record.transaction), at: context.date)
    }

    /// The runs of non-renewing time with the product, newest last; empty for other products.
    func runs(of subject: Subject) -> [DateInterval] {
        Array(owned.entitlements(to: subject).flatMap(\.runs).suffix(ProductEntitlement.maximumRuns))
    }
}
