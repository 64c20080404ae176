package import InAppPurchase
package import StoreClient

/// A store's answers to the questions about the purchases in a receipt.
package struct StoreFacts: Sendable {
    package var result: VerificationResult<VerifiedReceipt>
    /// The answers from before a question failed, if ``result`` is `unavailable`; `nil` if there are none.
    package var partial: VerifiedReceipt?

    package init(result: VerificationResult<VerifiedReceipt>, partial: VerifiedReceipt? = nil) {
        self.result = result
        self.partial = partial
    }
}
