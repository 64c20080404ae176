import Foundation
import InAppPurchase

/// The body of a notification of version 1, which is not signed (Apple, responseBodyV1, deprecated).
struct SimulatorLegacyNotification {
    /// The maximum number of transactions in `latest_receipt_info`.
    static let maximumHistory = 100

    /// `notification_type`.
    var type: String
    /// The app's shared secret; `nil` leaves it out.
    var password: String?
    /// The present response of `verifyReceipt` for the customer's app receipt.
    var receipt: VerifyReceiptAnswer
    var newest: StoredPurchase
    var date: Date

    /// The body as JSON.
    func encoded() throws -> Data { try JSONEncoder.sorted.encode(members) }

    private var members: VerifyReceiptAnswer {
        let transaction = newest.transaction
        var members: VerifyReceiptAnswer = ["unified_receipt": .object(unifiedReceipt)]
        members.set("notification_type", type)
        members.set("password", password)
        members.set("environment", transaction.environment == .production ? "PROD" : "Sandbox")
        members.set("bid", transaction.app)
        members.set("bvrs", SimulatorAppReceipt.applicationVersion)
        guard let renewal = newest.subscription?.renewal else { return members }
        members.set("original_transaction_id", transaction.originalID)
        members.set("auto_renew_product_id", renewal.autoRenewProductID ?? transaction.productID)
        members.set("auto_renew_status", newest.willRenew)
        if type == "DID_CHANGE_RENEWAL_STATUS" { members.set("auto_renew_status_change_date", date) }
        if let reason = renewal.expirationReason { members["expiration_intent"] = .integer(reason) }
        return members
    }

    private var unifiedReceipt: VerifyReceiptAnswer {
        let names = ["environment", "latest_receipt", "latest_receipt_info", "pending_renewal_info", "status"]
        var members = receipt.filter { names.contains($0.key) }
        if case .array(let all) = members["latest_receipt_info"] {
            members["latest_receipt_info"] = .array(Array(all.suffix(Self.maximumHistory)))
        }
        return members
    }
}
