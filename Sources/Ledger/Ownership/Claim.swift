package import Foundation
package import InAppPurchase

/// A claim of an account that presents a transaction: the rules for transferring a purchase to another account.
package struct Claim: Sendable {
    /// The maximum number of transfers within ``transferWindow``: players change phones more often than accounts, so
    /// more is sharing. Counted in Production only.
    package static let transfersPerWindow = 3
    /// The number of newest transfers and payments among which those are looked for.
    package static let searchedTransfers = OwnershipHistory.maximumPayments + transfersPerWindow
    /// The period, in seconds, in which transfers are counted.
    package static let transferWindow: TimeInterval = 365 * 86_400
    /// The maximum age of evidence against another account's token, in seconds: an old copy of the owner's device may
    /// have leaked, while the App Store signs a fresh one for its real customer.
    package static let freshness: TimeInterval = 86_400

    /// The account that presents the transaction.
    package var account: AccountID
    /// The newest payment that names a living account; `nil` if none does, as of family-shared purchases.
    package var payment: OwnershipHistory.Payment?
    /// The purchase date of the newest transaction that the account presents.
    package var shown: Date
    /// The evidence in what the client sent; `nil` if it has no date, or does not contain the transaction.
    package var evidence: PresentedEvidence?
    package var ownership: Ownership
    /// Whether a purchase of another account may be transferred. `false` if the player was not asked.
    package var mayTransfer: Bool

    package init(
        account: AccountID, payment: OwnershipHistory.Payment? = nil, shown: Date, evidence: PresentedEvidence?,
        ownership: Ownership, mayTransfer: Bool = true
    ) {
        self.account = account
        self.payment = payment
        self.shown = shown
        self.evidence = evidence
        self.ownership = ownership
        self.mayTransfer = mayTransfer
    }

    /// The outcome of a claim.
    package struct Result: Hashable, Sendable {
        /// The original transaction as it is after the claim.
        package var original: OriginalTransaction
        /// The remedy to tell the app; `nil` if the original transaction belongs to the claiming account.
        package var remedy: TransferRemedy?
    }

    /// Applies the claim. Idempotent.
    ///
    /// - Parameter known: the original transaction, with the owner by its payments; `nil` if it has none.
    package func applied(_ known: OriginalTransaction?, key: OriginalTransaction.Key, at date: Date) -> Result {
        var original = known ?? OriginalTransaction(key: key, owner: account, basis: .presented)
        if original.owner != account {
            if let remedy = remedy(for: original, at: date) { return Result(original: original, remedy: remedy) }
            original.transfers.append(OriginalTransaction.Transfer(from: original.owner, to: account, date: date))
            (original.owner, original.ownerEvidenceDate) = (account, nil)
        }
        var history = original.history ?? OwnershipHistory()
        history.assign(account, at: date, shown: shown, as: known == nil ? .first : .claim)
        original.history = history
        if let shown = evidence?.date { original.ownerEvidenceDate = max(shown, original.ownerEvidenceDate ?? shown) }
        return Result(original: original)
    }

    /// The reason why the original transaction stays with its owner; `nil` if it is transferred.
    private func remedy(for original: OriginalTransaction, at date: Date) -> TransferRemedy? {
        if let remedy = original.lastingRemedy(ownership, at: date) { return remedy }
        guard let evidence, evidence.isNewer(than: original) else { return .freshReceipt }
        // A copy of an older period proves nothing about what was paid later.
        if let payment, shown < payment.from { return .freshReceipt }
        if let payment, payment.account != account {
            guard date.timeIntervalSince(evidence.date) <= Self.freshness else { return .freshReceipt }
            guard evidence.isForDevice || original.key.environment != .production else { return evidence.deviceRemedy }
        }
        return mayTransfer ? nil : .transfer
    }
}

extension OriginalTransaction {
    /// The reason why the original transaction stays with its owner whatever evidence another account presents; `nil`
    /// if evidence may transfer it.
    package func lastingRemedy(_ ownership: Ownership, at date: Date) -> TransferRemedy? {
        if basis == .administrator { return .support }
        if ownership == .keep { return .recoveryCode }
        guard key.environment == .production else { return nil }
        let recent = transfers.count { !$0.isPayment && date.timeIntervalSince($0.date) < Claim.transferWindow }
        return recent < Claim.transfersPerWindow ? nil : .recoveryCode
    }
}

extension PresentedEvidence {
    /// Whether it is later than the owner's evidence, and than the last transfer.
    fileprivate func isNewer(than original: OriginalTransaction) -> Bool {
        [original.ownerEvidenceDate, original.transfers.last?.date].allSatisfy { $0.map { date > $0 } ?? true }
    }
}
