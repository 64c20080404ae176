import Foundation
import InAppPurchase

/// The response for an app receipt of iOS 7 and later (Apple, responseBody).
struct AppReceiptAnswer {
    var receipt: OwnAppReceipt
    var appAppleID: Int?
    /// All purchases of the customer, oldest first, in their present state.
    var purchases: [StoredPurchase]
    var date: Date
    var excludesOldTransactions: Bool
    /// The latest app receipt in base64; `nil` leaves it out.
    var latestReceipt: String?

    var members: VerifyReceiptAnswer {
        var answer: VerifyReceiptAnswer = [
            "status": .integer(ReceiptStatus.valid),
            "environment": .string(receipt.environment.rawValue),
            "receipt": .object(receiptMembers),
        ]
        guard !originalTransactions.isEmpty else { return answer }
        answer["latest_receipt_info"] = .array(latest.map { .object($0.latestMembers) })
        answer["pending_renewal_info"] = .array(
            originalTransactions.compactMap(\.last).map { .object($0.pendingMembers) })
        answer.set("latest_receipt", latestReceipt)
        return answer
    }

    private var receiptMembers: VerifyReceiptAnswer {
        let named = Set(receipt.transactionIDs)
        var members: VerifyReceiptAnswer = [
            "receipt_type": .string(SimulatorAppReceipt.type(of: receipt.environment)),
            "bundle_id": .string(receipt.app.text),
            "application_version": .string(SimulatorAppReceipt.applicationVersion),
            "original_application_version": .string(SimulatorAppReceipt.applicationVersion),
            "download_id": .integer(0),
            "version_external_identifier": .integer(0),
            "in_app": .array(purchases.filter { named.contains($0.transaction.id) }.map { .object($0.entryMembers) }),
        ]
        if let appAppleID {
            members["adam_id"] = .integer(appAppleID)
            members["app_item_id"] = .integer(appAppleID)
        }
        members.set("receipt_creation_date", receipt.creationDate)
        members.set("request_date", date)
        members.set("original_purchase_date", SimulatorAppReceipt.originalPurchaseDate)
        return members
    }

    /// The auto-renewable subscriptions, each with its periods, oldest first.
    private var originalTransactions: [[StoredPurchase]] {
        Dictionary(grouping: purchases.filter { $0.subscription != nil }, by: \.transaction.originalID)
            .sorted { $0.key < $1.key }
            .map { $0.value.sorted(by: StoredPurchase.isEarlierPeriod) }
    }

    private var latest: [StoredPurchase] {
        let content = purchases.receiptContent(at: date)
        guard excludesOldTransactions else { return content }
        let newest = Set(originalTransactions.compactMap(\.last?.transaction.id))
        return content.filter { $0.subscription == nil || newest.contains($0.transaction.id) }
    }
}

extension StoredPurchase {
    /// An element of `receipt.in_app`.
    fileprivate var entryMembers: VerifyReceiptAnswer {
        var members = VerifyReceiptAnswer(self)
        members.set("expires_date", transaction.expirationDate)
        members.set("in_app_ownership_type", transaction.ownershipType.rawValue)
        return members
    }

    /// An element of `latest_receipt_info`.
    fileprivate var latestMembers: VerifyReceiptAnswer {
        var members = entryMembers
        if transaction.isUpgraded { members.set("is_upgraded", true) }
        members.set("subscription_group_identifier", transaction.subscriptionGroupID)
        return members
    }

    /// An element of `pending_renewal_info`, for the newest transaction of a subscription.
    fileprivate var pendingMembers: VerifyReceiptAnswer {
        var members = VerifyReceiptAnswer()
        guard let renewal = subscription?.renewal else { return members }
        members.set("product_id", transaction.productID)
        members.set("original_transaction_id", transaction.originalID)
        members.set("auto_renew_product_id", renewal.autoRenewProductID ?? transaction.productID)
        members.set("auto_renew_status", willRenew ? "1" : "0")
        members.set("expiration_intent", renewal.expirationReason.map { String($0) })
        if renewal.isInBillingRetry || renewal.expirationReason != nil {
            members.set("is_in_billing_retry_period", renewal.isInBillingRetry ? "1" : "0")
        }
        members.set("grace_period_expires_date", renewal.gracePeriodExpirationDate)
        members.set("price_increase_status", subscription?.priceIncreaseStatus.map { String($0) })
        members.set("price_consent_status", subscription?.priceIncreaseStatus.map { String($0) })
        let offer = subscription?.nextOffer
        if offer?.type == 2 { members.set("promotional_offer_id", offer?.identifier) }
        if offer?.type == 3 { members.set("offer_code_ref_name", offer?.identifier) }
        return members
    }
}
