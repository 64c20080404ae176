public import Foundation

/// All transactions with one original ID: a subscription with its renewals and upgrades, a purchase with its restored
/// copies. An original transaction has one owner.
public struct OriginalTransaction: Hashable, Sendable {
    public struct Key: Hashable, Codable, Sendable {
        public var app: BundleID
        public var environment: Environment
        public var originalID: TransactionID

        public init(app: BundleID, environment: Environment, originalID: TransactionID) {
            self.app = app
            self.environment = environment
            self.originalID = originalID
        }
    }

    /// Why the owner owns it.
    public enum Basis: String, Codable, Sendable {
        /// A transaction's `appAccountToken` names the account.
        case token
        /// The first account that presented it, no token naming any.
        case presented
        /// An administrator gave it to the account. Only an administrator transfers it again.
        case administrator
    }

    public struct Transfer: Hashable, Codable, Sendable {
        public var from: AccountID
        public var to: AccountID
        public var date: Date

        public init(from: AccountID, to: AccountID, date: Date) {
            self.from = from
            self.to = to
            self.date = date
        }
    }

    public var key: Key
    public var owner: AccountID
    public var basis: Basis
    /// Oldest first. What decides needs the first and the newest ``Claim/transfersPerWindow``; see
    /// ``LedgerTransaction/originalTransactions(_:)``.
    public var transfers: [Transfer]
    /// The date of the latest evidence that the present owner's own requests have shown; nil if they have shown none
    /// that has a date. What the App Store told does not count.
    public var ownerEvidenceDate: Date?

    public init(
        key: Key, owner: AccountID, basis: Basis, transfers: [Transfer] = [], ownerEvidenceDate: Date? = nil
    ) {
        self.key = key
        self.owner = owner
        self.basis = basis
        self.transfers = transfers
        self.ownerEvidenceDate = ownerEvidenceDate
    }

    /// The original transaction in an account's hands by an administrator's decision, which no claim undoes: the store signs fresh
    /// evidence for the former owner's device every day.
    package func given(to account: AccountID, at date: Date) -> OriginalTransaction {
        var original = self
        if owner != account {
            original.transfers.append(Transfer(from: owner, to: account, date: date))
            original.ownerEvidenceDate = nil
        }
        (original.owner, original.basis) = (account, .administrator)
        return original
    }

    /// A token outranks whoever showed the original transaction first, as long as it did not move.
    package func named(_ account: AccountID?) -> OriginalTransaction {
        guard let account, basis == .presented, transfers.isEmpty else { return self }
        return OriginalTransaction(
            key: key, owner: account, basis: .token, ownerEvidenceDate: owner == account ? ownerEvidenceDate : nil)
    }

    /// The account that a token named before any move; later evidence may leave the token out.
    package var tokenHolder: AccountID? { basis == .token ? transfers.first?.from ?? owner : nil }
}
