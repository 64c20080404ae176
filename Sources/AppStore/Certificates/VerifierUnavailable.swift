public import Foundation

/// Thrown if something cannot be judged now: too many chains of unknown signers wait to be verified, or this machine's
/// clock has not reached the date of signing.
///
/// It says nothing about the receipt: try again after a while. Receipts of known signers are verified meanwhile.
public struct VerifierUnavailable: Error, Hashable, Sendable {
    /// The date from which on this machine's clock allows it; `nil` if the clock is not the reason. What has such a
    /// date is genuine in everything else.
    public var date: Date?

    public init(until date: Date? = nil) { self.date = date }
}
