public import Foundation

/// Why a transaction was revoked. Copies that only state the date of the revocation do not clear it.
public struct RevocationDetails: Hashable, Codable, Sendable {
    /// The date of the revocation that this is about.
    public var date: Date
    /// Apple's `revocationReason`, or `cancellation_reason`: 1 for an issue with the app, 0 for any other.
    public var reason: Int?
    /// Apple's `revocationType`: `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE`. An open set.
    public var type: String?

    public init(date: Date, reason: Int? = nil, type: String? = nil) {
        self.date = date
        self.reason = reason
        self.type = type
    }

    /// Adds what another copy states about the same revocation; of two revocations the later one stands.
    mutating func fill(from other: Self) {
        guard other.date == date else {
            if other.date > date { self = other }
            return
        }
        reason = greater(reason, other.reason)
        type = greater(type, other.type)
    }
}
