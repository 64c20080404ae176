/// Thrown if too many chains of unknown signers wait to be verified.
///
/// It says nothing about the receipt: try again after a while. Receipts of known signers are verified meanwhile.
public struct VerifierUnavailable: Error, Hashable, Sendable {
    public init() {}
}
