import Foundation
import InAppPurchase

extension VerifyReceiptAnswer {
    /// Adds a date in Apple's three forms: `name`, `name_ms`, `name_pst`, all strings. Adds nothing for `nil`.
    mutating func set(_ name: String, _ date: Date?) {
        guard let date = date.map(StoreDate.init) else { return }
        self[name] = .string(date.gmt)
        self["\(name)_ms"] = .string(date.milliseconds)
        self["\(name)_pst"] = .string(date.pacific)
    }

    mutating func set(_ name: String, _ text: String?) {
        guard let text else { return }
        self[name] = .string(text)
    }

    mutating func set(_ name: String, _ identifier: some Identifier) { self[name] = .string(identifier.text) }

    mutating func set(_ name: String, _ flag: Bool) { self[name] = .string(flag ? "true" : "false") }

    /// The members of a transaction that both styles of response have in common.
    init(_ purchase: StoredPurchase) {
        let transaction = purchase.transaction
        self.init()
        set("quantity", String(transaction.quantity))
        set("product_id", transaction.productID)
        set("transaction_id", transaction.id)
        set("original_transaction_id", transaction.originalID)
        set("purchase_date", transaction.purchaseDate)
        set("original_purchase_date", transaction.originalPurchaseDate ?? transaction.purchaseDate)
        set("web_order_line_item_id", purchase.subscription?.webOrderLineItemID)
        let offer = purchase.offer
        set("is_trial_period", offer?.isFreeTrial == true)
        if purchase.subscription != nil {
            set("is_in_intro_offer_period", offer?.type == Offer.introductory && offer?.isFreeTrial == false)
        }
        if offer?.type == 2 { set("promotional_offer_id", offer?.identifier) }
        if offer?.type == 3 { set("offer_code_ref_name", offer?.identifier) }
        set("cancellation_date", transaction.revocation?.date)
        set("cancellation_reason", transaction.revocation?.reason.map { String($0) })
        set("app_account_token", transaction.appAccountToken?.text)
    }
}
