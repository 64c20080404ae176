import Foundation
import InAppPurchase

/// The body of a request to `verifyReceipt` (Apple, requestBody). The shared secret is not checked.
struct VerifyReceiptRequest: Decodable {
    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case excludesOldTransactions = "exclude-old-transactions"
    }

    var receiptData: String
    var excludesOldTransactions: Bool?

    /// The receipt's bytes; `nil` if it is not base64. Line breaks are ignored.
    var receipt: Data? { Data(base64Encoded: receiptData, options: .ignoreUnknownCharacters) }
}

/// The body of a response. Errors have a status and nothing else.
typealias VerifyReceiptAnswer = [String: JSONValue]
