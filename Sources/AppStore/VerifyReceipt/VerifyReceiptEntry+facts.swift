import Foundation
import InAppPurchase

extension VerifyReceiptEntry {
    /// The transaction in the entry; `nil` if an ID, the product or the date of purchase cannot be read, or the
    /// quantity is out of range.
    ///
    /// - Parameter date: the date of the App Store's statement.
    func transaction(of app: BundleID, in environment: Environment, stated date: Date) -> Transaction? {
        guard let id = text("transaction_id"), id.isStoreID, let productID = text("product_id"),
            let purchaseDate = self.date("purchase_date") ?? self.date("original_purchase_date")
        else { return nil }
        let originalID = text("original_transaction_id") ?? id
        let quantity = text("quantity").map { Int($0) ?? 0 } ?? 1
        guard originalID.isStoreID, AppStoreBounds.quantity.contains(quantity) else { return nil }
        let isUpgraded = flag("is_upgraded") ?? false
        return Transaction(
            id: TransactionID(stored: id), originalID: TransactionID(stored: originalID), app: app,
            environment: environment, productID: ProductID(stored: productID), quantity: quantity,
            purchaseDate: purchaseDate, originalPurchaseDate: self.date("original_purchase_date"),
            expirationDate: self.date("expires_date"),
            // An upgraded subscription has a cancellation date too, and is no refund.
            revocation: isUpgraded ? nil : revocation, isUpgraded: isUpgraded,
            ownershipType: Transaction.OwnershipType(store: text("in_app_ownership_type")),
            appAccountToken: text("app_account_token").flatMap(UUID.init(uuidString:)),
            subscriptionGroupID: text("subscription_group_identifier"), details: details, signedDate: date,
            isSigned: false)
    }

    private var revocation: Transaction.Revocation? {
        date("cancellation_date").map { Transaction.Revocation(date: $0, reason: integer("cancellation_reason")) }
    }

    private var details: PurchaseDetails? {
        var details = PurchaseDetails()
        details.offer = PurchaseOffer(id: text("promotional_offer_id") ?? text("offer_code_ref_name")).nonEmpty
        details.isTrialPeriod = flag("is_trial_period")
        details.isIntroductoryPeriod = flag("is_in_intro_offer_period")
        details.webOrderLineItemID = text("web_order_line_item_id").flatMap { $0 == "0" ? nil : $0 }
        details.appVersion = text("bvrs")
        if let date = date("cancellation_date"), let reason = integer("cancellation_reason") {
            details.revocation = RevocationDetails(date: date, reason: reason)
        }
        return details.nonEmpty
    }

    /// The renewal facts in the entry (of `pending_renewal_info`, or the top level of an iOS 6 response).
    func renewalFacts(stated date: Date) -> RenewalFacts {
        var facts = RenewalFacts(
            willAutoRenew: flag("auto_renew_status"),
            autoRenewProductID: text("auto_renew_product_id").map(ProductID.init(stored:)),
            isInBillingRetry: flag("is_in_billing_retry_period") ?? false,
            gracePeriodExpirationDate: self.date("grace_period_expires_date"),
            expirationReason: integer("expiration_intent"), signedDate: date)
        facts.priceIncreaseStatus = integer("price_increase_status") ?? integer("price_consent_status")
        // A customer who is not billed any more, for a reason, has no grace.
        if flag("is_in_billing_retry_period") == false, facts.expirationReason != nil {
            facts.status = RenewalFacts.Status(number: SubscriptionStatus.expired.rawValue, date: date)
        }
        return facts
    }
}
