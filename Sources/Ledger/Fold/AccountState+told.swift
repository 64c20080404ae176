import Foundation
import InAppPurchase

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
