package import Foundation

extension Transaction {
    /// Merges another copy of the same transaction into this one.
    ///
    /// For each member the newest statement wins, for the `appAccountToken` the oldest, whichever copy arrives first; a
    /// member that a copy lacks never clears a known value. A revocation counts as stated at its own date at the
    /// earliest, and is cleared only by a signed copy that is later still. The refunded share is stated only by signed
    /// copies, and by each of them: one without a share states that there is none. The merge is commutative,
    /// associative and idempotent, so any order and any duplication of copies gives the same transaction.
    public mutating func merge(_ other: Transaction) {
        let mine = self
        mergeOptional(\.productType?.rawValue, "productType", from: other) { $0.productType = $1.productType }
        mergeOptional(\.originalPurchaseDate, "originalPurchaseDate", from: other) {
            $0.originalPurchaseDate = $1.originalPurchaseDate
        }
        mergeOptional(\.expirationDate, "expirationDate", from: other) { $0.expirationDate = $1.expirationDate }
        // The server itself may have set the token that a later copy has.
        mergeOptional(\.appAccountToken?.text, "appAccountToken", from: other, isPreferred: { $0 <= $1 }) {
            $0.appAccountToken = $1.appAccountToken
        }
        mergeOptional(\.subscriptionGroupID, "subscriptionGroupID", from: other) {
            $0.subscriptionGroupID = $1.subscriptionGroupID
        }
        let share = newerShare(mine.refundShareStatement, other.refundShareStatement)
        let revoked = greater(mine.revokedDate, other.revokedDate)
        mergeRevocation(from: other)
        statedDates[Self.revokedMember] = revocation == nil ? revoked : nil
        revocation?.percentage = share?.percentage
        statedDates[Self.refundShareMember] = share?.date
        isUpgraded = mine.isUpgraded || other.isUpgraded
        if let stated = other.details, details?.fill(from: stated) == nil { details = stated }
        if other.rank > mine.rank {
            (originalID, productID, quantity) = (other.originalID, other.productID, other.quantity)
            (purchaseDate, ownershipType) = (other.purchaseDate, other.ownershipType)
            (signedDate, isSigned) = (other.signedDate, other.isSigned)
        }
        mergeUnused(mine, other)
        dropImpliedDates()
    }

    /// Keeps only the dates that do not follow from the other members.
    private mutating func dropImpliedDates() {
        let implied = [
            "revocation": impliedRevocationStatedDate, Self.revokedMember: nil, Self.leftMember: nil,
            Self.longestEndMember: nil,
            Self.refundShareMember: isSigned ? impliedRevocationStatedDate : nil,
        ]
        statedDates = statedDates.filter { $0.value != implied[$0.key, default: signedDate] }
    }

    /// The order of copies for the members that every copy has: the newer copy wins, of equally new ones the signed
    /// one, and of these always the same one.
    private var rank: (Date, Int, String) {
        let ownership = ownershipType.rawValue
        let members = "\(productID) \(originalID) \(quantity) \(purchaseDate.timeIntervalSince1970) \(ownership)"
        return (signedDate, isSigned ? 1 : 0, members)
    }

    /// The date when the account token was stated first.
    var ownerTokenStatedDate: Date { statedDate("appAccountToken") }

    private func statedDate(_ member: String) -> Date { statedDates[member] ?? signedDate }

    private mutating func mergeOptional<Value: Comparable>(
        _ value: (Transaction) -> Value?, _ member: String, from other: Transaction,
        isPreferred: ((Date, Value), (Date, Value)) -> Bool = { $0 >= $1 },
        assign: (inout Transaction, Transaction) -> Void
    ) {
        let mine = value(self).map { (statedDate(member), $0) }
        let theirs = value(other).map { (other.statedDate(member), $0) }
        switch (mine, theirs) {
        case (nil, nil): statedDates[member] = nil
        case (let mine?, let theirs) where theirs.map { isPreferred(mine, $0) } ?? true: statedDates[member] = mine.0
        default:
            assign(&self, other)
            statedDates[member] = other.statedDate(member)
        }
    }

    /// The date when the revocation, or its absence, was stated; `nil` if this copy says nothing about it.
    private var revocationStatedDate: Date? { statedDates["revocation"] ?? impliedRevocationStatedDate }

    private var impliedRevocationStatedDate: Date? {
        if let revocation { return max(signedDate, revocation.date) }
        return isSigned ? signedDate : nil
    }

    private mutating func mergeRevocation(from other: Transaction) {
        let (mine, theirs) = (revocationStatedDate, other.revocationStatedDate)
        if let theirs, mine.map({ ($0, Self.order(revocation)) < (theirs, Self.order(other.revocation)) }) ?? true {
            revocation = other.revocation
            statedDates["revocation"] = theirs
        } else {
            statedDates["revocation"] = mine
        }
    }

    /// The order of two statements of one date: a revocation wins, and of two revocations always the same one.
    private static func order(_ revocation: Revocation?) -> String {
        revocation.map { "\($0.date.timeIntervalSince1970) \($0.reason.map(String.init) ?? "")" } ?? ""
    }

    private static let revokedMember = "revoked"

    /// The date of the newest revocation that a copy named, whether it stands or not; `nil` if none did.
    private var revokedDate: Date? { revocation == nil ? statedDates[Self.revokedMember] : revocationStatedDate }

    /// The copy of a notification that a revocation of the purchase was reversed, whichever ID it had named.
    package var reversingRevocation: Transaction {
        var copy = self
        if revocation == nil { copy.statedDates[Self.revokedMember] = purchaseDate }
        return copy
    }

    /// The statement of a copy about the revocation of its purchase.
    struct RevocationStatement {
        var date: Date
        /// `nil` if the copy says that it no longer stands.
        var revocation: Revocation?

        /// The order of statements: of one date a revocation wins, and of two revocations always the same one.
        func isOlder(than other: Self) -> Bool { rank < other.rank }

        private var rank: (Date, String, Int) { (date, Transaction.order(revocation), revocation?.percentage ?? -1) }
    }

    /// `nil` if no copy with this ID ever named a revocation: its silence says nothing about those of other IDs.
    var revocationStatement: RevocationStatement? {
        guard revokedDate != nil || details?.revocation != nil, let date = revocationStatedDate else { return nil }
        return RevocationStatement(date: date, revocation: revocation)
    }

    private static let longestEndMember = "longestEnd"
    private static let leftMember = "left"

    /// The date when the customer left the period for another product of its subscription, as that one's period tells;
    /// `nil` if the period was not left.
    package var leftDate: Date? {
        get { statedDates[Self.leftMember] }
        set { statedDates[Self.leftMember] = newValue }
    }

    /// The end of the period before the customer left it: a copy that says that it was upgraded may end it earlier.
    package var paidUntil: Date? { isUpgraded ? longestEnd : expirationDate }

    private var longestEnd: Date? { statedDates[Self.longestEndMember] ?? expirationDate }

    private mutating func mergeUnused(_ mine: Transaction, _ other: Transaction) {
        leftDate = [mine.leftDate, other.leftDate].compactMap(\.self).min()
        let longest = [mine.longestEnd, other.longestEnd].compactMap(\.self).max()
        statedDates[Self.longestEndMember] = longest == expirationDate ? nil : longest
    }

    private static let refundShareMember = "revocationPercentage"

    private typealias RefundShareStatement = (date: Date, percentage: Int?)

    /// The refunded share, and the date when it was stated; `nil` if only unsigned copies are known, which cannot state
    /// it.
    ///
    /// A signed copy without a refund states that there is no partial refund, so that the share is cleared when a
    /// refund is reversed.
    private var refundShareStatement: RefundShareStatement? {
        let date = statedDates[Self.refundShareMember] ?? (isSigned ? impliedRevocationStatedDate : nil)
        return date.map { ($0, revocation?.percentage) }
    }

    /// The newer of two statements. Of one date, the smaller refund wins, and any share before none, which may mean all
    /// or nothing.
    private func newerShare(_ mine: RefundShareStatement?, _ theirs: RefundShareStatement?) -> RefundShareStatement? {
        guard let mine, let theirs else { return mine ?? theirs }
        let order = { (share: RefundShareStatement) in (share.date, -(share.percentage ?? .max)) }
        return order(mine) < order(theirs) ? theirs : mine
    }
}
