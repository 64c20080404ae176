public import InAppPurchase

/// The result of asking a store about a receipt.
public enum VerificationResult<Answer: Sendable>: Sendable {
    /// The receipt is valid. The answer has what the store says about it.
    case verified(Answer)
    /// Final: another attempt has the same result.
    case rejected(ReceiptRejection)
    /// Nothing was learned about the receipt; access that was granted before stands.
    case unavailable(Unavailability)
}

extension VerificationResult {
    /// The result with another form of the answer.
    package func map<Other: Sendable>(_ transform: (Answer) -> Other) -> VerificationResult<Other> {
        switch self {
        case .verified(let answer): .verified(transform(answer))
        case .rejected(let rejection): .rejected(rejection)
        case .unavailable(let unavailability): .unavailable(unavailability)
        }
    }
}
