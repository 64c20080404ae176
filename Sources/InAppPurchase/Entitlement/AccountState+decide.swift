import Foundation

extension AccountState {
    /// The verdict on one product.
    public func access(to product: ProductID, in scope: Scope) -> Access {
        let owned = records.filter { $0.owner == account && $0.scope == scope }
        let own = owned.filter { $0.transaction.productID == product }
        guard let latest = own.max(by: { $0.transaction.purchaseDate < $1.transaction.purchaseDate }) else {
            return .denied(.transferred)
        }
        if own.allSatisfy({ $0.terms == nil }) { return .denied(reasonWithoutTerms(latest)) }
        guard context.admits(account, to: scope) else { return .denied(.sandbox) }
        return histories(of: product, among: owned)
            .map { decide(product, given: $0).access }
            .reduce(.denied(.expired)) { $0.orBetter($1) }
    }

    /// Why a recorded transaction is or is not worth anything to this account.
    public func access(by record: RecordedTransaction) -> Access {
        guard record.owner == account else { return .denied(.ownedByAnotherAccount) }
        guard record.terms != nil else { return .denied(reasonWithoutTerms(record)) }
        guard context.admits(account, to: record.scope) else { return .denied(.sandbox) }
        if record.transaction.revocation != nil { return .denied(.revoked) }
        if record.transaction.isUpgraded { return .denied(.upgraded) }
        let access = access(to: record.transaction.productID, in: record.scope)
        return !access.isGranted && earnsCredits(record) ? .granted(until: nil) : access
    }

    /// The credits that one product has earned the account, whoever has access by it now.
    public func credits(of product: ProductID, in scope: Scope) -> Credits {
        let credited = records.filter { $0.creditedTo == account && $0.scope == scope }
        return histories(of: product, among: credited)
            .map { decide(product, given: $0).credits }
            .reduce(into: [:]) { $0.merge($1) { $0.saturatingAdding($1) } }
    }

    /// Whether the credits of its product rise with this transaction.
    private func earnsCredits(_ record: RecordedTransaction) -> Bool {
        guard record.creditedTo == account else { return false }
        let product = record.transaction.productID
        var others = self
        others.records.removeAll { $0.transaction.key == record.transaction.key }
        let (with, without) = (credits(of: product, in: record.scope), others.credits(of: product, in: record.scope))
        return with.contains { $0.value > without[$0.key] ?? 0 }
    }

    private func reasonWithoutTerms(_ record: RecordedTransaction) -> DenialReason {
        let product = context.catalog.product(record.transaction.productID, of: record.transaction.app)
        return product.map { !$0.type.fits(record.transaction.productType) } ?? false ? .typeMismatch : .unknownProduct
    }

    /// The histories a product stands in, that of the newest purchase last: one, unless the product's type or group was
    /// edited between two purchases.
    private func histories(of product: ProductID, among records: [RecordedTransaction]) -> [[Purchase<Product>]] {
        let purchases = records.compactMap { record in
            record.terms.map { Purchase(transaction: record.transaction, terms: $0, credits: $0.credits) }
        }
        return Dictionary(grouping: purchases, by: \.terms.historyKey).values
            .filter { $0.contains { $0.transaction.productID == product } }
            .sorted { newest(in: $0, of: product) < newest(in: $1, of: product) }
    }

    private func newest(in purchases: [Purchase<Product>], of product: ProductID) -> Date {
        purchases.filter { $0.transaction.productID == product }.map(\.transaction.purchaseDate).max() ?? .distantPast
    }

    private func decide(_ product: ProductID, given purchases: [Purchase<Product>]) -> Entitlement {
        guard let handler = purchases.first?.terms.handler else {
            return Entitlement(access: .denied(.expired), credits: [:])
        }
        let lines = Set(purchases.map(\.transaction.lineKey))
        let facts = lines.compactMap { line in renewals[line].map { (line.originalID, $0) } }
        return type(of: handler).decide(
            product, purchases: purchases, renewals: Dictionary(facts) { first, _ in first }, at: context.date)
    }
}

extension Access {
    /// The more generous of two verdicts; of two denials the other.
    fileprivate func orBetter(_ other: Access) -> Access {
        switch (self, other) {
        case (.granted(nil), _), (.granted, .denied): self
        case (.granted(let mine?), .granted(let theirs?)): mine >= theirs ? self : other
        default: other
        }
    }
}
