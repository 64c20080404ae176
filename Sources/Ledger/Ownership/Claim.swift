package import InAppPurchase
package import Foundation

/// An account shows a transaction and wants its original transaction: the rules by which a purchase transfers to another account.
package struct Claim: Sendable {
    /// Players change phones more often than accounts: more transfers than this within ``transferWindow`` is sharing. Counted in
    /// Production only.
    package static let transfersPerWindow = 3
    package static let transferWindow: TimeInterval = 365 * 86_400
    /// A copy that the owner's device made long ago may have leaked; the store signs a fresh one for its real customer.
    package static let freshness: TimeInterval = 86_400

    /// Who presents it.
    package var account: AccountID
    /// The living account that the transaction's `appAccountToken` names; nil for family-shared purchases.
    package var named: AccountID?
    /// The living account that a token named when the original transaction was recorded; later copies may leave the token out.
    package var formerlyNamed: AccountID?
    /// What the client sent; nil if it has no date, or does not hold the transaction.
    package var evidence: PresentedEvidence?
    package var ownership: Ownership
    /// Whether what another account owns may move. False: nobody asked the player.
    package var mayTransfer: Bool

    package init(
        account: AccountID, named: AccountID? = nil, formerlyNamed: AccountID? = nil, evidence: PresentedEvidence?,
        ownership: Ownership, mayTransfer: Bool = true
    ) {
        self.account = account
        self.named = named
        self.formerlyNamed = formerlyNamed
        self.evidence = evidence
        self.ownership = ownership
        self.mayTransfer = mayTransfer
    }

    /// What became of a claim.
    package struct Result: Hashable, Sendable {
        /// The original transaction as it is after the claim.
        package var original: OriginalTransaction
        /// What the app can do; nil if the original transaction belongs to the claiming account.
        package var remedy: TransferRemedy?
    }

    /// Applies the claim. The same claim again changes nothing.
    ///
    /// - Parameter original transaction: as recorded; nil if this is the first anybody sees of it.
    package func applied(_ original: OriginalTransaction?, key: OriginalTransaction.Key, at date: Date) -> Result {
        var original = (original ?? OriginalTransaction(key: key, owner: account, basis: .presented)).named(named)
        if original.owner != account {
            if let remedy = remedy(for: original, at: date) { return Result(original: original, remedy: remedy) }
            original.transfers.append(OriginalTransaction.Transfer(from: original.owner, to: account, date: date))
            (original.owner, original.ownerEvidenceDate) = (account, nil)
        }
        if let shown = evidence?.date { original.ownerEvidenceDate = max(shown, original.ownerEvidenceDate ?? shown) }
        return Result(original: original)
    }

    /// Why the original transaction stays with its owner; nil if it transfers.
    private func remedy(for original: OriginalTransaction, at date: Date) -> TransferRemedy? {
        if let remedy = original.lastingRemedy(ownership, at: date) { return remedy }
        guard let evidence, evidence.isNewer(than: original) else { return .freshReceipt }
        if let holder = named ?? formerlyNamed, holder != account {
            guard date.timeIntervalSince(evidence.date) <= Self.freshness else { return .freshReceipt }
            guard evidence.isForDevice || original.key.environment != .production else { return evidence.deviceRemedy }
        }
        return mayTransfer ? nil : .transfer
    }
}

extension OriginalTransaction {
    /// What keeps the original transaction with its owner, whatever evidence another account shows; nil if evidence may move it.
    package func lastingRemedy(_ ownership: Ownership, at date: Date) -> TransferRemedy? {
        if basis == .administrator { return .support }
        if ownership == .keep { return .recoveryCode }
        guard key.environment == .production else { return nil }
        let recent = transfers.count { date.timeIntervalSince($0.date) < Claim.transferWindow }
        return recent < Claim.transfersPerWindow ? nil : .recoveryCode
    }
}

extension PresentedEvidence {
    /// Whether it is later than what the owner has shown, and than the last move.
    fileprivate func isNewer(than original: OriginalTransaction) -> Bool {
        [original.ownerEvidenceDate, original.transfers.last?.date].allSatisfy { $0.map { date > $0 } ?? true }
    }
}
