import Foundation
package import InAppPurchase

extension AccountState {
    /// The access to one product.
    package func access(to product: ProductID, in scope: Scope) -> Access {
        accesses[Subject(scope: scope, product: product)] ?? .denied(.transferred)
    }

    func decideAccess(to subject: Subject) -> Access {
        let records = recordsByProduct[subject] ?? []
        let own = records.filter { $0.owner == account }
        guard let latest = own.map({ PurchaseStamp($0.transaction) }).max(by: { $1.isLater(than: $0) }) else {
            let former = records.filter { $0.creditedTo == account }.map(\.end)
            return .denied(context.reasonWithoutPurchases(formerEnd: former.max()))
        }
        if own.allSatisfy({ $0.terms == nil }) { return .denied(context.reasonWithoutTerms(subject, latest.type)) }
        guard context.admits(account, to: subject.scope) else { return .denied(.sandbox) }
        return owned.entitlements(to: subject).map(\.access).reduce(.denied(.expired)) { $0.orBetter($1) }
    }

    /// The access by a recorded transaction, as the app is told for its receipt.
    package func access(by record: RecordedTransaction) -> Access {
        record.access(
            of: account, by: access(to: record.transaction.productID, in: record.scope), in: context,
            lastEnd: lastEnds[record.subject], earnsCredits: earnsCredits)
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

extension Access {
    /// The more generous of two results; of two denials the other.
    func orBetter(_ other: Access) -> Access {
        switch (self, other) {
        case (.granted(nil), _), (.granted, .denied): self
        case (.granted(let mine?), .granted(let theirs?)): mine >= theirs ? self : other
        default: other
        }
    }
}

extension RecordedTransaction {
    /// The access by the purchase, as the app is told for its receipt.
    ///
    /// - Parameters:
    ///   - account: the account that is told.
    ///   - access: the account's, to the product.
    ///   - lastEnd: the end of the account's last period of the product.
    ///   - earnsCredits: whether a transaction increases the credits of its product.
    func access(
        of account: AccountID, by access: Access, in context: RecordingContext, lastEnd: Date?,
        earnsCredits: (Self) -> Bool
    ) -> Access {
        guard owner == account else { return .denied(.ownedByAnotherAccount) }
        guard let terms else { return .denied(context.reasonWithoutTerms(subject, transaction.provenType)) }
        guard context.admits(account, to: scope) else { return .denied(.sandbox) }
        if transaction.revocation?.share.isAll == true { return .denied(.revoked) }
        if transaction.isUpgraded { return .denied(.upgraded) }
        let access: Access = isRevoked ? .denied(.revoked) : access
        guard case .denied(let reason) = access else {
            return isOver(before: lastEnd, at: context.date) && !earnsCredits(self) ? .denied(.expired) : access
        }
        if earnsCredits(self) || isService { return .granted(until: nil) }
        let wouldEarn = !isRevoked && (!terms.credits.isEmpty || reason == .consumed)
        return transaction.ownershipType.isUnusual && wouldEarn ? .denied(.ownershipType) : access
    }

    /// Whether it is a period that is over, and a later one gives the access.
    private func isOver(before lastEnd: Date?, at date: Date) -> Bool {
        guard let end = transaction.expirationDate, let lastEnd else { return false }
        return end <= date && end < lastEnd
    }
}

extension Transaction.OwnershipType {
    /// Whether the type is neither of the two that every app has to expect.
    fileprivate var isUnusual: Bool { self != .purchased && self != .familyShared }
}
