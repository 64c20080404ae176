import Foundation

/// A chain that was built to a pinned root, without the certificates: what the next message of the same signer needs.
struct VerifiedChain<LeafKey: SigningKey>: Sendable {
    /// So long a chain is believed without a second look, as in Apple's own libraries.
    static var freshness: TimeInterval { 15 * 60 }

    var leafKey: LeafKey
    /// When all three certificates are valid.
    var notBefore: Date
    var notAfter: Date
    var verifiedAt: Date

    func isValid(at date: Date) -> Bool { notBefore <= date && date <= notAfter }

    /// Not either where the clock was set back to before.
    func isFresh(at now: Date) -> Bool { (0...Self.freshness).contains(now.timeIntervalSince(verifiedAt)) }
}
