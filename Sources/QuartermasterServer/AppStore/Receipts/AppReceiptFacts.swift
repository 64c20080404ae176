import AppStore
import StoreClient

/// The App Store's answers to the questions about the customer of an app receipt.
struct AppReceiptFacts: Sendable {
    var result: VerificationResult<AppStoreAnswer>
    /// The answers from before a question failed, if ``result`` is `unavailable`; `nil` if there are none.
    var partial: AppStoreAnswer?

    init(_ result: VerificationResult<AppStoreAnswer>, partial: AppStoreAnswer? = nil) {
        self.result = result
        self.partial = partial
    }
}
