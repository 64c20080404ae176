import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import ServerCore

/// One customer's subscription, for which the simulated store sends notifications by itself: what happens to it day by
/// day, and the access of somebody who knows what was reported until then.
enum StoreLife {
    enum Target {
        case subscription
        /// The transaction that began this many days after the purchase.
        case transaction(Double)
    }

    struct Act {
        /// Since the purchase.
        var day: Double
        var name: String
        var target = Target.subscription
        var body: JSONValue = [:]
        /// The notification's type and subtype.
        var reported: String
    }

    static let monthly = "\(World.app).club.monthly"
    static let gold = "\(World.app).club.gold"
    /// Credits show what was paid: 1 for each period of the one, 5 of the other.
    static let catalog = """
        {"apps": [{"bundleID": "\(World.app)", "appAppleID": 1234567890, "products": [
            {"id": "\(monthly)", "type": "auto-renewable", "group": "club", "level": 2, "credits": {"gems": 1}},
            {"id": "\(gold)", "type": "auto-renewable", "group": "club", "level": 1, "credits": {"gems": 5}}
        ]}]}
        """
    static let order: [String: JSONValue] = [
        "period": "P7D", "offerType": 1, "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P3D", "customer": "Ada",
        "renews": .bool(false),
    ]

    /// After the purchase; no two at once.
    static let acts: [Act] = [
        Act(day: 3, name: "renew", reported: "DID_RENEW"),
        Act(day: 4, name: "price-increase", body: ["consent": "pending"], reported: "PRICE_INCREASE PENDING"),
        Act(day: 5, name: "price-increase", body: ["consent": "accepted"], reported: "PRICE_INCREASE ACCEPTED"),
        Act(day: 10, name: "renew", reported: "DID_RENEW"),
        Act(day: 11, name: "cancel", reported: "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED"),
        Act(day: 12, name: "reenable", reported: "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED"),
        Act(day: 13, name: "upgrade", body: ["productID": .string(gold)], reported: "DID_CHANGE_RENEWAL_PREF UPGRADE"),
        Act(
            day: 15, name: "downgrade", body: ["productID": .string(monthly), "period": "P7D"],
            reported: "DID_CHANGE_RENEWAL_PREF DOWNGRADE"),
        Act(day: 20, name: "renew", reported: "DID_RENEW"),
        Act(day: 21, name: "refund", target: .transaction(3), reported: "REFUND"),
        Act(day: 22, name: "consumption-request", target: .transaction(13), reported: "CONSUMPTION_REQUEST"),
        Act(day: 23, name: "refund-declined", target: .transaction(13), reported: "REFUND_DECLINED"),
        Act(day: 27, name: "grace", reported: "DID_FAIL_TO_RENEW GRACE_PERIOD"),
        Act(day: 29, name: "grace-period-expired", reported: "GRACE_PERIOD_EXPIRED"),
        Act(day: 30, name: "renew", reported: "DID_RENEW BILLING_RECOVERY"),
        Act(day: 37, name: "billing-retry", reported: "DID_FAIL_TO_RENEW"),
        Act(day: 39, name: "renew", reported: "DID_RENEW BILLING_RECOVERY"),
        Act(day: 41, name: "extend", body: ["days": 4], reported: "RENEWAL_EXTENDED"),
        Act(day: 43, name: "refund", target: .transaction(39), reported: "REFUND"),
        Act(day: 44, name: "refund-reversed", target: .transaction(39), reported: "REFUND_REVERSED"),
        Act(day: 50, name: "expire", reported: "EXPIRED VOLUNTARY"),
        Act(day: 55, name: "resubscribe", body: ["productID": .string(gold)], reported: "SUBSCRIBED RESUBSCRIBE"),
        Act(day: 62, name: "renew", reported: "DID_RENEW"),
    ]

    /// The day on which the last one was reported.
    static let lastDay = 66.0
    private static let leeway = 5.0 / (24 * 60)

    /// The access of whoever knows what was reported until then, and the credits.
    static let course: [(day: Double, monthly: Access, gold: Access?, gems: Int)] = [
        (1, until(3), nil, 1), (3.5, until(10), nil, 2), (4.5, until(10), nil, 2), (10.5, until(17), nil, 3),
        (11.5, until(17), nil, 3), (13.5, .denied(.upgraded), until(20), 8),
        (15.5, .denied(.upgraded), until(20), 8), (20.5, until(27), .denied(.expired), 9),
        // Refunds: an old period's, and one that is declined.
        (21.5, until(27), .denied(.expired), 8), (23.5, until(27), .denied(.expired), 8),
        // Grace, billing retry, recovery; the second time without grace.
        (27.5, until(33), .denied(.expired), 8), (29.5, .denied(.billingRetry), .denied(.expired), 8),
        (30.5, until(37), .denied(.expired), 9), (37.5, .denied(.billingRetry), .denied(.expired), 9),
        (39.5, until(46), .denied(.expired), 10), (41.5, until(50), .denied(.expired), 10),
        // Refunded, and the refund reversed.
        (43.5, .denied(.revoked), .denied(.expired), 9), (44.5, until(50), .denied(.expired), 10),
        (50.5, .denied(.expired), .denied(.expired), 10), (55.5, .denied(.expired), until(62), 15),
        (62.5, .denied(.expired), until(69), 20), (69.001, .denied(.expired), until(69 + leeway), 20),
        (69.5, .denied(.expired), .denied(.expired), 20),
    ]

    static func date(_ day: Double) -> Date { World.start + day * 86_400 }

    private static func until(_ day: Double) -> Access { .granted(until: date(day)) }
}

/// A ``StoreLife`` that took place: everything that the store signed of it.
struct LivedLife: Sendable {
    struct Reported: Sendable {
        var date: Date
        var signedPayload: String
    }

    /// In the order of signing.
    var reported: [Reported]
    var bought: Bought
    /// The customer's on the last day.
    var appReceipt: String
    /// Of the newest period, as the store signed it.
    var newestTransaction: String
}

extension World {
    /// Lets the store live a ``StoreLife``, up to its last day. The app needs a server key.
    func live() async throws -> LivedLife {
        try await setNotificationURL()
        let bought = try await buy("club.monthly", "auto-renewable", StoreLife.order)
        var (transactions, newest) = ([0.0: bought.transactionID], bought.signedTransaction)
        for act in StoreLife.acts {
            clock.advance(by: StoreLife.date(act.day).timeIntervalSince(clock.now))
            let path =
                switch act.target {
                case .subscription: "subscriptions/\(bought.originalID)"
                case .transaction(let day): "transactions/\(try #require(transactions[day]))"
                }
            let answer = try await self.act("\(path)/\(act.name)", act.body)
            guard ["renew", "upgrade", "resubscribe"].contains(act.name) else { continue }
            transactions.updateValue(try #require(answer["transactionID"].text), forKey: act.day)
            newest = try #require(answer["signedTransaction"].text)
        }
        clock.advance(by: StoreLife.date(StoreLife.lastDay).timeIntervalSince(clock.now))
        let dates = [World.start] + StoreLife.acts.map { StoreLife.date($0.day) }
        let payloads = try await signedPayloads(ofDays: StoreLife.lastDay + 1)
        try #require(payloads.count == dates.count)
        return LivedLife(
            reported: zip(dates, payloads).map { LivedLife.Reported(date: $0, signedPayload: $1) }, bought: bought,
            appReceipt: try await freshAppReceipt(ofCustomer: "Ada"), newestTransaction: newest)
    }
}
