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

/// The numbers of `status` (Apple, "status").
enum ReceiptStatus {
    static let valid = 0
    /// The request was not a POST, or is not JSON.
    static let badRequest = 21_000
    static let malformed = 21_002
    static let notAuthenticated = 21_003
    /// Only for iOS 6 style receipts.
    static let expired = 21_006
    static let isSandbox = 21_007
    static let isProduction = 21_008
}

/// The body of an answer. Errors have a status and nothing else.
typealias VerifyReceiptAnswer = [String: JSONValue]
