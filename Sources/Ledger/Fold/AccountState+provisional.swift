import Foundation
import InAppPurchase

extension AccountState {
    /// The entitlements, extended by the purchases of pending receipts.
    func entitlements(with provisional: [ProvisionalPurchase]) -> [ProductEntitlement] {
        guard !provisional.isEmpty else { return entitlements }
        let records = records + provisional.map { $0.record(of: account) }
        let wider = AccountState(account: account, records: records, renewals: renewals, context: context)
        return entitlements.widened(to: wider.entitlements, by: provisional, of: account, in: context)
    }
}

extension ProvisionalPurchase {
    /// The transaction as if it were recorded.
    func record(of account: AccountID) -> RecordedTransaction {
        RecordedTransaction(
            transaction: transaction, purchase: transaction.purchaseID, terms: terms, owner: account,
            creditedTo: account)
    }
}

extension [ProductEntitlement] {
    /// Adds what provisional purchases give.
    ///
    /// They remove nothing, and end when their time is over. A product that they give no access to is left as it is.
    ///
    /// - Parameter wider: the entitlements as if the purchases were recorded.
    func widened(
        to wider: [ProductEntitlement], by provisional: [ProvisionalPurchase], of account: AccountID,
        in context: RecordingContext
    ) -> [ProductEntitlement] {
        let subjects = provisional.map { $0.record(of: account).subject }
        let ends = Dictionary(zip(subjects, provisional.map { $0.end(in: context) }), uniquingKeysWith: Swift.max)
        let ordinary = Dictionary(map { ($0.subject, $0) }) { first, _ in first }
        return wider.compactMap { entitlement in
            let known = ordinary[entitlement.subject]
            guard let end = ends[entitlement.subject], case .granted(let until) = entitlement.access else {
                return known
            }
            let access = Access.granted(until: Swift.min(until ?? end, end))
            guard let known else { return entitlement.with(access) }
            return known.access.orBetter(access) == known.access ? known : entitlement.with(access)
        }
    }
}

extension ProductEntitlement {
    fileprivate func with(_ access: Access) -> ProductEntitlement {
        ProductEntitlement(
            scope: scope, product: product, type: type, group: group, level: level, access: access, bundles: bundles)
    }
}
