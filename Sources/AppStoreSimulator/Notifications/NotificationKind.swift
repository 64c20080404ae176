import InAppPurchase

/// The type and subtype of a notification (Apple, notificationType and subtype).
struct NotificationKind: Hashable, Sendable {
    var type: String
    var subtype: String?

    init(_ type: String, _ subtype: String? = nil) {
        self.type = type
        self.subtype = subtype
    }

    static let oneTimeCharge = NotificationKind("ONE_TIME_CHARGE")
    static let initialBuy = NotificationKind("SUBSCRIBED", "INITIAL_BUY")
    static let resubscribe = NotificationKind("SUBSCRIBED", "RESUBSCRIBE")
    static let refund = NotificationKind("REFUND")
    static let refundOfSeats = NotificationKind("REFUND", "SEATS")
    static let refundReversed = NotificationKind("REFUND_REVERSED")
    static let refundDeclined = NotificationKind("REFUND_DECLINED")
    static let consumptionRequest = NotificationKind("CONSUMPTION_REQUEST")
    static let revoke = NotificationKind("REVOKE")
    static let extensionFailed = NotificationKind("RENEWAL_EXTENSION", "FAILURE")
    static let extensionSummary = NotificationKind("RENEWAL_EXTENSION", "SUMMARY")
    static let test = NotificationKind("TEST")
}

extension SubscriptionAct {
    /// The notification that the App Store sends about the act; `nil` for none.
    ///
    /// - Parameter before: the newest transaction of the original transaction before the act.
    func notification(for before: StoredPurchase) -> NotificationKind {
        switch self {
        case .renew, .renewEarly:
            let isRecovery = before.subscription?.renewal.isInBillingRetry == true
            return NotificationKind("DID_RENEW", isRecovery ? "BILLING_RECOVERY" : nil)
        case .expire(let reason): return NotificationKind("EXPIRED", reason.subtype)
        case .grace: return NotificationKind("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
        case .billingRetry: return NotificationKind("DID_FAIL_TO_RENEW")
        case .gracePeriodExpired: return NotificationKind("GRACE_PERIOD_EXPIRED")
        // Family members and members of an organisation lose access this way; a purchaser is refunded.
        case .revoke: return before.transaction.ownershipType == .purchased ? .refund : .revoke
        case .upgrade(let choice), .downgrade(let choice):
            let type = choice.offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED"
            return NotificationKind(type, direction(before))
        case .crossgrade: return NotificationKind("DID_CHANGE_RENEWAL_PREF", direction(before))
        case .resubscribe: return .resubscribe
        case .redeem: return NotificationKind("OFFER_REDEEMED")
        case .setAutoRenew(let isOn):
            return NotificationKind("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED")
        case .priceIncrease(let isAccepted, _):
            return NotificationKind("PRICE_INCREASE", isAccepted ? "ACCEPTED" : "PENDING")
        case .extend: return NotificationKind("RENEWAL_EXTENDED")
        case .addSeats: return NotificationKind("DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY")
        case .renewSeats(let quantity):
            let isMore = quantity > before.seats?.renewing ?? 0
            return NotificationKind("DID_CHANGE_RENEWAL_PREF", isMore ? "INCREASE_QUANTITY" : "DECREASE_QUANTITY")
        case .unclaimSeats: return NotificationKind("UNCLAIM_SEATS")
        }
    }

    private func direction(_ before: StoredPurchase) -> String? {
        switch self {
        case .downgrade(let choice): choice.product == before.transaction.productID ? nil : "DOWNGRADE"
        default: "UPGRADE"
        }
    }
}

extension ExpirationReason {
    /// The subtype of EXPIRED; `nil` for any other reason, which has none.
    fileprivate var subtype: String? {
        switch self {
        case .cancelled: "VOLUNTARY"
        case .billingError: "BILLING_RETRY"
        case .priceIncrease: "PRICE_INCREASE"
        case .notForSale: "PRODUCT_NOT_FOR_SALE"
        case .other: nil
        }
    }
}

extension NotificationKind {
    private static let version1: [NotificationKind: String] = [
        .initialBuy: "INITIAL_BUY",
        .resubscribe: "INTERACTIVE_RENEWAL",
        NotificationKind("DID_RENEW"): "DID_RENEW",
        NotificationKind("DID_RENEW", "BILLING_RECOVERY"): "DID_RECOVER",
        NotificationKind("DID_FAIL_TO_RENEW"): "DID_FAIL_TO_RENEW",
        NotificationKind("DID_FAIL_TO_RENEW", "GRACE_PERIOD"): "DID_FAIL_TO_RENEW",
        NotificationKind("DID_CHANGE_RENEWAL_PREF", "UPGRADE"): "INTERACTIVE_RENEWAL",
        NotificationKind("OFFER_REDEEMED", "UPGRADE"): "INTERACTIVE_RENEWAL",
        NotificationKind("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE"): "DID_CHANGE_RENEWAL_PREF",
        NotificationKind("OFFER_REDEEMED", "DOWNGRADE"): "DID_CHANGE_RENEWAL_PREF",
        NotificationKind("DID_CHANGE_RENEWAL_PREF"): "DID_CHANGE_RENEWAL_PREF",
        NotificationKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"): "DID_CHANGE_RENEWAL_STATUS",
        NotificationKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"): "DID_CHANGE_RENEWAL_STATUS",
        NotificationKind("PRICE_INCREASE", "PENDING"): "PRICE_INCREASE_CONSENT",
        .refund: "REFUND", .revoke: "REVOKE", .consumptionRequest: "CONSUMPTION_REQUEST",
    ]
    private static let version1Sandbox: Set = [
        "INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_RENEW", "INTERACTIVE_RENEWAL",
        "CANCEL", "REFUND",
    ]

    /// The type in version 1 (Apple, notification_type, deprecated); `nil` if that version sends nothing.
    func version1(isSubscription: Bool, in environment: Environment) -> String? {
        let type = self == .refund && isSubscription ? "CANCEL" : Self.version1[self]
        return environment == .sandbox ? type.flatMap { Self.version1Sandbox.contains($0) ? $0 : nil } : type
    }
}
