import Foundation
import InAppPurchase

/// What is posted to `verifyReceipt` (Apple, requestBody). The shared secret is not compared with anything.
struct VerifyReceiptRequest: Decodable {
    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case excludesOldTransactions = "exclude-old-transactions"
    }

    var receiptData: String
    var excludesOldTransactions: Bool?

    /// The receipt's bytes; nil where it is not base64. Line breaks in it do not matter.
    var receipt: Data? { Data(base64Encoded: receiptData, options: .ignoreUnknownCharacters) }
}

/// The body of an answer. Errors have a status and nothing else.
typealias VerifyReceiptAnswer = [String: JSONValue]
