/// The verifier of app receipts (PKCS#7).
enum AppReceiptVerification: String, Sendable {
    /// This server, by Apple's signature, even if the App Store is unavailable.
    case local
    /// The App Store, by its deprecated `verifyReceipt`, which knows what happened after the receipt was made.
    case verifyReceipt
}
