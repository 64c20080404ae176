import InAppPurchase
import StoreClient

/// A store's answers to the questions about the purchases in a receipt.
struct StoreFacts: Sendable {
    var result: VerificationResult<VerifiedReceipt>
    /// The answers from before a question failed, if ``result`` is `unavailable`; `nil` if there are none.
    var partial: VerifiedReceipt?
}
