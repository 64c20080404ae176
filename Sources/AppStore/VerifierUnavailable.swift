/// Too many chains of signers that nobody has seen wait to be verified.
///
/// Nothing is said of the receipt, which is neither good nor bad: send it again after a while. Receipts of known signers
/// are verified meanwhile.
public struct VerifierUnavailable: Error, Hashable, Sendable {
    public init() {}
}
