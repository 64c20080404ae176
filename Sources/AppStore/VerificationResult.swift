public import InAppPurchase

/// What came of asking the store about a receipt.
public enum VerificationResult: Sendable {
    case verified(AppStoreAnswer)
    /// Final: asking again brings the same.
    case rejected(ReceiptRejection)
    /// Nothing is known about the receipt; access that was granted before stands.
    case unavailable(Unavailability)
}
