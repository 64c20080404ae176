public import InAppPurchase

/// The result of verifying a receipt with the App Store.
public enum VerificationResult: Sendable {
    /// The receipt is valid.
    case verified(AppStoreAnswer)
    /// Final: another attempt has the same result.
    case rejected(ReceiptRejection)
    /// Nothing was learned about the receipt; access that was granted before stands.
    case unavailable(Unavailability)
}
