import Foundation

/// The body of `POST /v1/receipts`.
struct ReceiptRequest: Sendable, Encodable {
    var receipt: String
    var bundleID: String
    var mayTransfer: Bool
    var deviceVerificationID: String?
}
