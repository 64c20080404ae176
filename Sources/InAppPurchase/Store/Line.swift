public import Foundation

/// All transactions with one original ID: a subscription with its renewals and upgrades, a purchase with its restored
/// copies. A line has one owner.
public struct Line: Hashable, Sendable {
    public struct Key: Hashable, Codable, Sendable {
        public var app: BundleID
        public var environment: Environment
        public var originalID: TransactionID

        public init(app: BundleID, environment: Environment, originalID: TransactionID) {
            (self.app, self.environment, self.originalID) = (app, environment, originalID)
        }
    }

    /// Why the owner owns it.
    public enum Basis: String, Codable, Sendable {
        /// A transaction's `appAccountToken` names the account.
        case token
        /// The first account that presented it, no token naming any.
        case presented
        /// An administrator gave it to the account. Only an administrator moves it again.
        case administrator
    }

    public struct Move: Hashable, Codable, Sendable {
        public var from: AccountID
        public var to: AccountID
        public var date: Date

        public init(from: AccountID, to: AccountID, date: Date) { (self.from, self.to, self.date) = (from, to, date) }
    }

    public var key: Key
    public var owner: AccountID
    public var basis: Basis
    /// Oldest first.
    public var moves: [Move]

    public init(key: Key, owner: AccountID, basis: Basis, moves: [Move] = []) {
        (self.key, self.owner, self.basis, self.moves) = (key, owner, basis, moves)
    }

    /// The line in an account's hands by an administrator's decision, which no claim undoes: the store signs fresh
    /// evidence for the former owner's device every day.
    func given(to account: AccountID, at date: Date) -> Line {
        var line = self
        if owner != account { line.moves.append(Move(from: owner, to: account, date: date)) }
        (line.owner, line.basis) = (account, .administrator)
        return line
    }

    /// A token outranks whoever showed the line first, as long as it did not move.
    func named(_ account: AccountID?) -> Line {
        guard let account, basis == .presented, moves.isEmpty else { return self }
        return Line(key: key, owner: account, basis: .token)
    }

    /// The account that a token named before any move; later evidence may leave the token out.
    var tokenHolder: AccountID? { basis == .token ? moves.first?.from ?? owner : nil }
}

/// Whether a line follows the player to another account (`ownership` in `products.json`).
public enum Ownership: String, Codable, Sendable {
    case transfer
    case keep
}

/// An account shows a transaction and wants its line.
public struct Claim: Sendable {
    /// Players change phones more often than accounts: more moves than this within ``moveWindow`` is sharing.
    public static let movesPerWindow = 3
    public static let moveWindow: TimeInterval = 365 * 86_400
    /// A copy that the owner's device made long ago may have leaked; the store signs a fresh one for its real customer.
    public static let freshness: TimeInterval = 86_400

    /// Who presents it.
    public var account: AccountID
    /// The account of this server that the transaction's `appAccountToken` names; nil for family-shared purchases.
    public var named: AccountID?
    /// When the presented copy was signed.
    public var signedDate: Date
    public var ownership: Ownership

    public init(account: AccountID, named: AccountID?, signedDate: Date, ownership: Ownership) {
        (self.account, self.named, self.signedDate, self.ownership) = (account, named, signedDate, ownership)
    }

    /// The line as it is after the claim. It belongs to the claiming account, or the claim failed.
    ///
    /// - Parameter line: as recorded; nil where this is the first anybody sees of it.
    public func settle(_ line: Line?, key: Line.Key, at date: Date) -> Line {
        var line = (line ?? Line(key: key, owner: account, basis: .presented)).named(named)
        guard line.basis != .administrator else { return line }
        if line.owner != account, mayMove(line, at: date) {
            line.moves.append(Line.Move(from: line.owner, to: account, date: date))
            line.owner = account
        }
        return line
    }

    private func mayMove(_ line: Line, at date: Date) -> Bool {
        guard ownership == .transfer else { return false }
        if let last = line.moves.last, signedDate <= last.date { return false }
        let isNamed = named == line.owner || line.tokenHolder == line.owner
        if isNamed, date.timeIntervalSince(signedDate) > Self.freshness { return false }
        return line.moves.count { date.timeIntervalSince($0.date) < Self.moveWindow } < Self.movesPerWindow
    }
}
