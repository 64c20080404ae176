/// https://developer.apple.com/documentation/storekit/verificationresult
@available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
@frozen public enum VerificationResult<SignedType> {
    /// https://developer.apple.com/documentation/storekit/verificationresult/unverified(_:_:)
    case unverified(SignedType, VerificationError)
    /// https://developer.apple.com/documentation/storekit/verificationresult/verified(_:)
    case verified(SignedType)

    /// https://developer.apple.com/documentation/storekit/verificationresult/unsafepayloadvalue
    public var unsafePayloadValue: SignedType { fatalError() }

    /// https://developer.apple.com/documentation/storekit/verificationresult/verificationerror
    public enum VerificationError: Error, Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/verificationresult/verificationerror/invalidsignature
        case invalidSignature
    }
}

extension VerificationResult: Sendable where SignedType: Sendable {}

@available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
extension VerificationResult where SignedType == Transaction {
    /// https://developer.apple.com/documentation/storekit/verificationresult/jwsrepresentation-21vgo
    public var jwsRepresentation: String { fatalError() }
}

@available(iOS 16.0, macOS 13.0, visionOS 1.0, *)
extension VerificationResult where SignedType == AppTransaction {
    /// https://developer.apple.com/documentation/storekit/verificationresult/jwsrepresentation-6ma59
    public var jwsRepresentation: String { fatalError() }
}
