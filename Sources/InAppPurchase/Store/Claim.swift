public import Foundation

/// An account shows a transaction and wants its line: the rules by which a purchase moves to another account.
public struct Claim: Sendable {
    /// Players change phones more often than accounts: more moves than this within ``moveWindow`` is sharing. Counted in
    /// Production only.
    public static let movesPerWindow = 3
    public static let moveWindow: TimeInterval = 365 * 86_400
    /// A copy that the owner's device made long ago may have leaked; the store signs a fresh one for its real customer.
    public static let freshness: TimeInterval = 86_400

    /// Who presents it.
    public var account: AccountID
    /// The living account that the transaction's `appAccountToken` names; nil for family-shared purchases.
    public var named: AccountID?
    /// The living account that a token named when the line was recorded; later copies may leave the token out.
    public var formerlyNamed: AccountID?
    /// What the client sent; nil if it has no date, or does not hold the transaction.
    public var evidence: PresentedEvidence?
    public var ownership: Ownership
    /// Whether what another account owns may move. False: nobody asked the player.
    public var mayTransfer: Bool

    public init(
        account: AccountID, named: AccountID? = nil, formerlyNamed: AccountID? = nil, evidence: PresentedEvidence?,
        ownership: Ownership, mayTransfer: Bool = true
    ) {
        (self.account, self.named, self.formerlyNamed) = (account, named, formerlyNamed)
        (self.evidence, self.ownership, self.mayTransfer) = (evidence, ownership, mayTransfer)
    }

    /// What became of a claim.
    public struct Result: Hashable, Sendable {
        /// The line as it is after the claim.
        public var line: Line
        /// What the app can do; nil if the line belongs to the claiming account.
        public var remedy: TransferRemedy?
    }

    /// Applies the claim. The same claim again changes nothing.
    ///
    /// - Parameter line: as recorded; nil if this is the first anybody sees of it.
    public func settle(_ line: Line?, key: Line.Key, at date: Date) -> Result {
        var line = (line ?? Line(key: key, owner: account, basis: .presented)).named(named)
        if line.owner != account {
            if let remedy = remedy(for: line, at: date) { return Result(line: line, remedy: remedy) }
            line.moves.append(Line.Move(from: line.owner, to: account, date: date))
            (line.owner, line.ownerEvidenceDate) = (account, nil)
        }
        if let shown = evidence?.date { line.ownerEvidenceDate = max(shown, line.ownerEvidenceDate ?? shown) }
        return Result(line: line)
    }

    /// Why the line stays with its owner; nil if it moves.
    private func remedy(for line: Line, at date: Date) -> TransferRemedy? {
        if let remedy = line.lastingRemedy(ownership, at: date) { return remedy }
        guard let evidence, evidence.isNewer(than: line) else { return .freshReceipt }
        if let holder = named ?? formerlyNamed, holder != account {
            guard date.timeIntervalSince(evidence.date) <= Self.freshness else { return .freshReceipt }
            guard evidence.isForDevice || line.key.environment != .production else { return evidence.deviceRemedy }
        }
        return mayTransfer ? nil : .transfer
    }
}

extension Line {
    /// What keeps the line with its owner, whatever evidence another account shows; nil if evidence may move it.
    public func lastingRemedy(_ ownership: Ownership, at date: Date) -> TransferRemedy? {
        if basis == .administrator { return .support }
        if ownership == .keep { return .recoveryCode }
        guard key.environment == .production else { return nil }
        let recent = moves.count { date.timeIntervalSince($0.date) < Claim.moveWindow }
        return recent < Claim.movesPerWindow ? nil : .recoveryCode
    }
}

extension PresentedEvidence {
    /// Whether it is later than what the owner has shown, and than the last move.
    fileprivate func isNewer(than line: Line) -> Bool {
        [line.ownerEvidenceDate, line.moves.last?.date].allSatisfy { $0.map { date > $0 } ?? true }
    }
}
