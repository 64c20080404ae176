import Foundation
import InAppPurchase

extension AccountState {
    /// The entitlements, extended by the purchases of pending receipts.
    ///
    /// These remove nothing, and end when their time is over. A product that they give no access to is left as it is.
    func entitlements(with provisional: [ProvisionalPurchase]) -> [ProductEntitlement] {
        guard !provisional.isEmpty else { return entitlements }
        let added = provisional.map {
            RecordedTransaction(transaction: $0.transaction, terms: $0.terms, owner: account, creditedTo: account)
        }
        let wider = AccountState(account: account, records: records + added, renewals: renewals, context: context)
        let ends = Dictionary(zip(added.map(\.subject), provisional.map { $0.end(in: context) }), uniquingKeysWith: max)
        let ordinary = Dictionary(entitlements.map { ($0.subject, $0) }) { first, _ in first }
        return wider.entitlements.compactMap { entitlement in
            let known = ordinary[entitlement.subject]
            guard let end = ends[entitlement.subject], case .granted(let until) = entitlement.access else {
                return known
            }
            let access = Access.granted(until: min(until ?? end, end))
            guard let known else { return entitlement.with(access) }
            return known.access.orBetter(access) == known.access ? known : entitlement.with(access)
        }
    }
}

extension ProductEntitlement {
    fileprivate func with(_ access: Access) -> ProductEntitlement {
        ProductEntitlement(scope: scope, product: product, type: type, access: access, bundles: bundles)
    }
}
