import InAppPurchase

extension ReceiptRecorder {
    /// Returns an account's entitlements with the access that administrators gave it: the one place where grants count.
    func withGrants(_ entitlements: [ProductEntitlement], of account: AccountID) throws -> [ProductEntitlement] {
        let grants = try rows.standingGrants(of: account, at: context.date)
        guard !grants.isEmpty else { return entitlements }
        let context = try rows.context(context, for: account)
        var given = Dictionary(entitlements.map { ($0.subject, $0) }) { first, _ in first }
        for recorded in grants {
            let subject = Subject(scope: recorded.grant.scope, product: recorded.grant.product)
            let access: Access =
                context.admits(account, to: subject.scope) ? .granted(until: recorded.grant.end) : .denied(.sandbox)
            let now = context.catalog.product(subject.product, of: subject.scope.app)
            let bundles = ((recorded.terms?.bundles ?? []) + (now?.bundles ?? [])).unique
            let type = recorded.terms?.type ?? now?.type ?? ProductType(rawValue: "unknown")
            given[subject] =
                given[subject]?.adding(access, bundles)
                ?? ProductEntitlement(
                    scope: subject.scope, product: subject.product, type: type,
                    group: (now ?? recorded.terms)?.group, level: (now ?? recorded.terms)?.level, access: access,
                    bundles: bundles, isGivenBySupport: true)
        }
        return given.values.sorted { $0.order < $1.order }
    }
}

extension ProductEntitlement {
    /// The entitlement with further access: the later end counts.
    fileprivate func adding(_ other: Access, _ bundles: [BundleName]) -> Self {
        let better = access.orBetter(other)
        guard better.isGranted, better != access else { return self }
        var wider = self
        wider.access = better
        wider.bundles = (self.bundles + bundles).unique
        wider.retained = RetainedTimes()
        if !isGivenBySupport { wider.accessByPurchases = access }
        wider.isGivenBySupport = true
        return wider
    }
}
