import Foundation

/// A certificate chain that was verified up to a pinned root, reduced to what the next message of the signer needs.
struct VerifiedChain<LeafKey: SigningKey>: Sendable {
    /// The time in seconds for which a chain is used without another verification, as in Apple's own libraries.
    static var freshness: TimeInterval { 15 * 60 }

    var leafKey: LeafKey
    /// The period in which all three certificates are valid.
    var notBefore: Date
    var notAfter: Date
    var verifiedAt: Date

    func isValid(at date: Date) -> Bool { notBefore <= date && date <= notAfter }

    /// Whether it was verified recently; `false` also if the clock was set back to before that.
    func isFresh(at now: Date) -> Bool { (0...Self.freshness).contains(now.timeIntervalSince(verifiedAt)) }
}
