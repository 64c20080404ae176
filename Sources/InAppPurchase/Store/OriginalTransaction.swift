public import Foundation

/// All transactions with one original ID: a subscription with its renewals and upgrades, or a purchase with its
/// restored copies. An original transaction has one owner.
public struct OriginalTransaction: Hashable, Sendable {
    /// The unique key of an original transaction.
    public struct Key: Hashable, Codable, Sendable {
        /// The app's bundle ID.
        public var app: BundleID
        /// The environment that the ID belongs to.
        public var environment: Environment
        /// Apple's `originalTransactionId`.
        public var originalID: TransactionID

        public init(app: BundleID, environment: Environment, originalID: TransactionID) {
            self.app = app
            self.environment = environment
            self.originalID = originalID
        }

        /// The key of another original transaction of the app and environment.
        package func named(_ id: TransactionID) -> Key { Key(app: app, environment: environment, originalID: id) }

        /// Hashes the ID alone: few keys with the same ID differ otherwise.
        public func hash(into hasher: inout Hasher) { hasher.combine(originalID) }
    }

    /// The reason why the owner owns it.
    public enum Basis: String, Codable, Sendable {
        /// A transaction's `appAccountToken` names the account.
        case token
        /// The account was the first that presented it, and no token named any.
        case presented
        /// An administrator gave it to the account. Only an administrator transfers it again.
        case administrator
    }

    /// A transfer from one account to another.
    public struct Transfer: Hashable, Codable, Sendable {
        /// The former owner.
        public var from: AccountID
        /// The new owner.
        public var to: AccountID
        /// The date of the transfer; of a payment, when the paid period began.
        public var date: Date
        /// Whether the new owner paid for a period, so that nobody decided anything.
        public var isPayment: Bool

        public init(from: AccountID, to: AccountID, date: Date, isPayment: Bool = false) {
            self.from = from
            self.to = to
            self.date = date
            self.isPayment = isPayment
        }
    }

    /// The unique key.
    public var key: Key
    /// The account that owns it.
    public var owner: AccountID
    /// The reason for the ownership.
    public var basis: Basis
    /// The transfers, oldest first. Decisions need only the first and the newest `Claim.transfersPerWindow`; see
    /// `LedgerTransaction.originalTransactions(_:)`.
    public var transfers: [Transfer]
    /// The date of the latest evidence in the present owner's own requests; `nil` if none had a date. Facts that came
    /// from the App Store do not count.
    public var ownerEvidenceDate: Date?
    /// The payments and decisions that the owners follow from; `nil` if an earlier version recorded them.
    package var history: OwnershipHistory?

    public init(key: Key, owner: AccountID, basis: Basis, transfers: [Transfer] = [], ownerEvidenceDate: Date? = nil) {
        self.key = key
        self.owner = owner
        self.basis = basis
        self.transfers = transfers
        self.ownerEvidenceDate = ownerEvidenceDate
    }

    /// The original transaction after an administrator gave it to an account, which no claim reverses: the App Store
    /// signs fresh evidence for the former owner's device every day.
    package func given(to account: AccountID, at date: Date) -> OriginalTransaction {
        guard owner != account || basis != .administrator else { return self }
        var original = self
        if owner != account {
            original.transfers.append(Transfer(from: owner, to: account, date: date))
            original.ownerEvidenceDate = nil
        }
        (original.owner, original.basis) = (account, .administrator)
        original.history?.assign(account, at: date, shown: date, as: .administrator)
        return original
    }

    /// Whether more new accounts have paid for it within 365 days than a player has who changes accounts.
    package var isShared: Bool {
        guard let payments = history?.payments.dropFirst(), let newest = payments.last else { return false }
        let recent = payments.count { newest.from.timeIntervalSince($0.from) < Self.sharingWindow }
        return recent > Self.usualPayersPerWindow
    }

    private static let sharingWindow: TimeInterval = 365 * 86_400
    private static let usualPayersPerWindow = 3

    /// The original transaction as its history says who owns it. A payment transfers it, whatever was decided before.
    package func owned(by owners: [OwnershipHistory.Owner]) -> OriginalTransaction {
        guard let owner = owners.last else { return self }
        var original = self
        if owner.account != self.owner {
            let transfer = Transfer(from: self.owner, to: owner.account, date: owner.from, isPayment: true)
            original.transfers.append(transfer)
            original.ownerEvidenceDate = nil
        }
        (original.owner, original.basis) = (owner.account, owner.basis)
        return original
    }
}
