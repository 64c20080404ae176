import Foundation
import InAppPurchase
import ServerTestSupport

/// A year of one customer's weekly subscription: what is planned on its first day, and the result worked out by hand,
/// in days since the purchase. It begins with a week's trial; then only the clock goes on.
enum SubscriptionYear {
    static let days = 365
    static let weekly = "\(World.app).club.weekly"
    static let gold = "\(World.app).club.gold"

    static let catalog = """
        {"apps": [{"bundleID": "\(World.app)", "appAppleID": 1234567890, "products": [
            {"id": "\(weekly)", "type": "auto-renewable", "group": "club", "level": 2},
            {"id": "\(gold)", "type": "auto-renewable", "group": "club", "level": 1}
        ]}]}
        """

    static let order: [String: JSONValue] = [
        "period": "P7D", "price": 1_990, "storefront": "DEU", "offerType": 1, "offerDiscountType": "FREE_TRIAL",
        "offerPeriod": "P7D", "renews": true,
    ]

    static let plan: [(day: Int, act: String, body: JSONValue)] = [
        // Three weeks at the introductory price after the trial.
        (5, "redeem-offer", offer(1, price: 990, periods: 3)),
        (50, "price-increase", ["price": 2_490, "consent": "pending"]),
        (53, "price-increase", ["price": 2_490, "consent": "accepted"]),
        (98, "billing-retry", ["recoversAfter": "P3D"]),
        (150, "grace", ["recoversAfter": "P4D"]),
        (193, "cancel", [:]),
        (220, "resubscribe", offer(4, price: 500, periods: 2)),
        (250, "upgrade", ["productID": .string(gold), "price": 2_990, "period": "P7D"]),
        (290, "refund", ["percentage": 40_000]),
        (300, "resubscribe", [:]),
    ]

    private static func offer(_ type: Int, price: Int, periods: Int) -> JSONValue {
        [
            "offer": [
                "type": .integer(type), "id": .string("offer.\(type)"), "discountType": "PAY_AS_YOU_GO",
                "period": "P7D", "periods": .integer(periods), "price": .integer(price),
            ]
        ]
    }

    // MARK: What the player is told

    struct Stage {
        /// The first day of it.
        var day: Int
        /// The access to the weekly product and to gold, as `granted` or the reason of the denial; nil if it was never
        /// bought.
        var weekly = "granted"
        var gold: String?
        /// The phase of the present, or last, period.
        var phase = "standard"
        var willRenew = true
        var billingIssue: String?
        var expirationReason: String?
        var priceIncrease: String?
    }

    static let stages = [
        Stage(day: 0, phase: "trial"),
        Stage(day: 7, phase: "introductory"),
        Stage(day: 28),
        Stage(day: 50, priceIncrease: "pending"),
        Stage(day: 53, priceIncrease: "agreed"),
        Stage(day: 56),
        Stage(day: 98, weekly: "billingRetry", billingIssue: "retry", expirationReason: "billing"),
        Stage(day: 101),
        Stage(day: 150, billingIssue: "grace"),
        Stage(day: 154),
        Stage(day: 193, willRenew: false),
        Stage(day: 199, weekly: "expired", willRenew: false, expirationReason: "cancelled"),
        Stage(day: 220, phase: "offer"),
        Stage(day: 234),
        // The replaced period would have ended on day 255.
        Stage(day: 250, weekly: "upgraded", gold: "granted"),
        Stage(day: 255, weekly: "expired", gold: "granted"),
        Stage(day: 290, weekly: "expired", gold: "revoked", willRenew: false),
        Stage(day: 300, weekly: "expired", gold: "granted"),
    ]

    // MARK: What is counted

    /// Periods of a week, one after the other.
    struct Periods {
        var day: Int
        var count: Int
        /// Of each, in thousandths of a euro.
        var price: Int
        /// How the first came about; the others are renewals.
        var first = "renewals"
        var offer: String?
        /// The day on which the first was charged; it began earlier if that was in the grace period.
        var charged: Int?
    }

    static let periods = [
        Periods(day: 0, count: 1, price: 0, first: "starts", offer: "introductory"),
        Periods(day: 7, count: 3, price: 990, offer: "introductory"),
        Periods(day: 28, count: 4, price: 1_990),
        Periods(day: 56, count: 6, price: 2_490),
        Periods(day: 101, count: 7, price: 2_490),
        Periods(day: 150, count: 7, price: 2_490, charged: 154),
        Periods(day: 220, count: 2, price: 500, first: "restarts", offer: "winBack"),
        Periods(day: 234, count: 3, price: 2_490),
        Periods(day: 250, count: 6, price: 2_990, first: "upgrades"),
        Periods(day: 300, count: 10, price: 2_990, first: "restarts"),
    ]

    /// The days in which no period runs, or nothing is known of one that does.
    static let gaps = [98..<101, 150..<154, 199..<220, 290..<300]

    /// The numbers of all reports of the time until the middle of a day, without those that are 0.
    static func numbers(on day: Int) -> [String: Int] {
        var numbers: [String: Int] = [:]
        func add(_ name: String, _ amount: Int = 1) { numbers[name, default: 0] += amount }
        for group in periods {
            for place in 0..<group.count where day >= (place == 0 ? group.charged : nil) ?? group.day + 7 * place {
                let how = place == 0 ? group.first : "renewals"
                add("subscriptions.\(how)")
                add(how == "renewals" ? "purchases.renewals" : "purchases.purchases")
                add("purchases.units")
                add("purchases.types.auto-renewable")
                add("purchases.revenue.EUR", group.price)
                if let offer = group.offer {
                    for kind in ["purchases", "subscriptions"] { add("\(kind).offers.\(offer)") }
                }
            }
        }
        for kind in ["purchases", "subscriptions"] { add("\(kind).trials") }
        if day >= 7 { add("subscriptions.conversions") }
        // Why it ended is forgotten once it has begun again.
        if day >= 199 { add(day < 220 ? "subscriptions.ends.cancelled" : "subscriptions.ends.unknown") }
        if day >= 290 {
            add("subscriptions.ends.refunded")
            for name in ["refunds", "partial", "percentages.40", "reasons.other"] { add("refunds.\(name)") }
            add("refunds.refunded.EUR", 1_196)
        }
        if !gaps.contains(where: { $0.contains(day) }) { add("subscriptions.active") }
        return numbers
    }
}
