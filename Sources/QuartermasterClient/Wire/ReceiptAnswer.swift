import Foundation

/// The answer to `POST /v1/receipts` with 200 or 202, and to `GET /v1/receipts/{id}`.
struct ReceiptAnswer: Sendable, Decodable {
    /// The ID by which the server knows the receipt.
    var receipt: String
    /// `verified`, `pending`, `rejected` or `conflict`.
    var status: String
    var reason: DenialReason?
    var transactions: [Transaction]
    /// The end of access that is open although the App Store has not answered yet.
    var provisionalUntil: Date?

    /// The result of a transaction.
    struct Transaction: Sendable, Decodable {
        var id: String
        var product: String
        /// `delivered`, `alreadyDelivered`, `denied`, or one that this library does not know.
        var outcome: String
        var reason: DenialReason?
        var remedy: Remedy?
        /// Whether it may be finished in StoreKit. If the server does not say so, it may not.
        var finish: Bool

        private enum CodingKeys: String, CodingKey {
            case id
            case product
            case outcome
            case reason
            case remedy
            case finish
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            product = container.lenient(String.self, .product) ?? ""
            outcome = container.lenient(String.self, .outcome) ?? ""
            reason = container.lenient(DenialReason.self, .reason)
            remedy = container.lenient(Remedy.self, .remedy)
            finish = container.lenient(Bool.self, .finish) ?? false
        }
    }

    private enum CodingKeys: String, CodingKey {
        case receipt
        case status
        case reason
        case transactions
        case provisionalUntil
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        receipt = try container.decode(String.self, forKey: .receipt)
        status = try container.decode(String.self, forKey: .status)
        reason = container.lenient(DenialReason.self, .reason)
        transactions = container.lenient(elements: Transaction.self, .transactions) ?? []
        provisionalUntil = container.lenientTime(.provisionalUntil)
    }
}

/// The body of `POST /v1/receipts`.
struct ReceiptRequest: Sendable, Encodable {
    var receipt: String
    var bundleID: String
    var mayTransfer: Bool
    var deviceVerificationID: String?
}
