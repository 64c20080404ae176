import Foundation
import InAppPurchase
import StoreClient

extension VerifyReceiptAnswer {
    /// The environment that the App Store refers the receipt to; `nil` if it does not.
    var otherEndpoint: Environment? {
        switch status {
        case 21007: .sandbox
        case 21008: .production
        default: nil
        }
    }

    /// Whether the App Store reports a failure of its own, which has nothing to do with the receipt.
    var isTrouble: Bool {
        switch status {
        case 21005, 21009: true
        case 21100...21199: isRetryable != false
        default: false
        }
    }

    /// The result for the response's status (Apple: "status", the status codes of verifyReceipt).
    ///
    /// - Parameter endpoint: the environment whose endpoint sent the response.
    func result(from endpoint: Environment, at now: Date) -> VerificationResult<AppStoreAnswer> {
        switch status {
        // 21006: valid, and the subscription in it has expired (transaction receipts only).
        case 0, 21006: facts(from: endpoint, at: now)
        // The request was not POST, or not JSON: a mistake of this server, not the player's.
        case 21000, 21001: .unavailable(Unavailability(.badRequest, detail))
        case 21002: .unavailable(Unavailability(.ambiguous, detail))
        case 21003: .rejected(ReceiptRejection(.signature, detail))
        case 21004:
            .unavailable(
                Unavailability(.misconfigured, "\(detail), the shared secret is wrong", credential: .sharedSecret))
        case 21010: .rejected(ReceiptRejection(.notFound, detail))
        case 21100...21199 where isRetryable == false: .rejected(ReceiptRejection(.notFound, detail))
        default: .unavailable(Unavailability(.temporary, detail))
        }
    }

    private var detail: String { "status \(status)" }
}
