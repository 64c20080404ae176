import Foundation
import InAppPurchase

/// The response for a transaction receipt of iOS 6 and earlier: one transaction, and for an auto-renewable subscription
/// its newest.
struct TransactionReceiptAnswer {
    var purchase: StoredPurchase
    var newest: StoredPurchase
    /// The app's number; 0 in the sandbox, where the response leaves it out.
    var appAppleID: Int?
    /// The latest receipt, in base64.
    var latestReceipt: String
    var date: Date

    var members: VerifyReceiptAnswer {
        var answer: VerifyReceiptAnswer = [
            "status": .integer(ReceiptStatus.valid), "receipt": .object(members(of: purchase)),
        ]
        guard let renewal = newest.subscription?.renewal else { return answer }
        let isExpired = newest.transaction.expirationDate.map { $0 <= date } ?? false
        answer["status"] = .integer(isExpired ? ReceiptStatus.expired : ReceiptStatus.valid)
        answer[isExpired ? "latest_expired_receipt_info" : "latest_receipt_info"] = .object(members(of: newest))
        answer["auto_renew_status"] = .integer(newest.willRenew ? 1 : 0)
        answer.set("auto_renew_product_id", renewal.autoRenewProductID ?? newest.transaction.productID)
        answer.set("expiration_intent", renewal.expirationReason.map { String($0) })
        if isExpired { answer.set("is_in_billing_retry_period", renewal.isInBillingRetry ? "1" : "0") }
        if !isExpired { answer.set("latest_receipt", latestReceipt) }
        return answer
    }

    private func members(of purchase: StoredPurchase) -> VerifyReceiptAnswer {
        var members = purchase.transactionMembers
        if let appAppleID, appAppleID > 0 { members.set("app_item_id", String(appAppleID)) }
        return members
    }
}

extension StoredPurchase {
    /// The iOS 6 dictionary. `expires_date` is in milliseconds here.
    fileprivate var transactionMembers: VerifyReceiptAnswer {
        var members = VerifyReceiptAnswer(self)
        members.set("bid", transaction.app)
        members.set("bvrs", SimulatorAppReceipt.applicationVersion)
        members.set("unique_identifier", Customer.key(customer.deviceIdentifier))
        members.set("unique_vendor_identifier", customer.vendorIdentifier)
        guard let expiration = transaction.expirationDate.map(StoreDate.init) else { return members }
        members.set("expires_date", expiration.milliseconds)
        members.set("expires_date_formatted", expiration.gmt)
        members.set("expires_date_formatted_pst", expiration.pacific)
        return members
    }
}
