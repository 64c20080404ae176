/// The event that a notification of the App Store reports, by its type and subtype.
struct StoreEvent {
    let type: String
    var subtype: String?

    /// The event in words; one that only a later App Store knows by its name.
    var words: String {
        subtype.flatMap { Self.words["\(type) \($0)"] } ?? Self.words[type]
            ?? [type, subtype].compactMap { $0 }.joined(separator: " ")
    }

    private static let words = [
        "CONSUMPTION_REQUEST": "the customer wants money back, and the App Store asks what was used",
        "DID_CHANGE_RENEWAL_PREF": "the customer chose another plan from the next renewal on",
        "DID_CHANGE_RENEWAL_PREF UPGRADE": "the customer changed to a higher plan at once",
        "DID_CHANGE_RENEWAL_PREF DOWNGRADE": "the customer changes to a lower plan at the next renewal",
        "DID_CHANGE_RENEWAL_STATUS": "the renewal was turned on or off",
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED": "the renewal was turned off",
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED": "the renewal was turned on again",
        "DID_FAIL_TO_RENEW": "the App Store could not charge the customer",
        "DID_FAIL_TO_RENEW GRACE_PERIOD": "the App Store could not charge the customer; access goes on meanwhile",
        "DID_RENEW": "the subscription was renewed",
        "DID_RENEW BILLING_RECOVERY": "the App Store could charge the customer after all",
        "EXPIRED": "the subscription ended",
        "EXPIRED VOLUNTARY": "the subscription ended, since the customer had turned the renewal off",
        "EXPIRED BILLING_RETRY": "the subscription ended, since the customer could not be charged",
        "EXPIRED PRICE_INCREASE": "the subscription ended, since the customer did not agree to a higher price",
        "EXPIRED PRODUCT_NOT_FOR_SALE": "the subscription ended, since its product is no longer sold",
        "EXTERNAL_PURCHASE_TOKEN": "the customer may buy outside of the App Store",
        "GRACE_PERIOD_EXPIRED": "access ended; the App Store goes on trying to charge the customer",
        "METADATA_UPDATE": "the texts of a subscription changed",
        "MIGRATION": "the subscription was moved to another way of payment",
        "OFFER_REDEEMED": "the customer redeemed an offer",
        "ONE_TIME_CHARGE": "the customer bought something",
        "PRICE_CHANGE": "the price changes",
        "PRICE_INCREASE": "the price rises; the customer was asked",
        "PRICE_INCREASE PENDING": "the price rises; the customer has not agreed yet",
        "PRICE_INCREASE ACCEPTED": "the price rises; the customer agreed, or need not",
        "REFUND": "the App Store refunded the purchase",
        "REFUND_DECLINED": "the App Store refused a refund",
        "REFUND_REVERSED": "the App Store took a refund back",
        "RENEWAL_EXTENDED": "the renewal date was extended",
        "RENEWAL_EXTENSION": "the renewal dates of all subscribers are extended",
        "RESCIND_CONSENT": "a parent took back the consent to the app",
        "REVOKE": "Family Sharing ended",
        "SUBSCRIBED": "the customer subscribed",
        "SUBSCRIBED INITIAL_BUY": "the customer subscribed for the first time",
        "SUBSCRIBED RESUBSCRIBE": "the customer subscribed again",
        "TEST": "a test",
        "UNCLAIM_SEATS": "seats of the subscription were given back",
    ]
}
