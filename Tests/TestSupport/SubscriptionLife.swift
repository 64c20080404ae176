package import Foundation
package import InAppPurchase

/// One customer's subscription to a group of `club.year`, of the higher level, and `club.month`, as the store reports
/// it: renewals, an upgrade, a downgrade, refunds, billing trouble, a pause, and a family copy beside it.
package enum SubscriptionLife {
    /// Something that the store signed about it.
    package enum Fact: Sendable {
        case transaction(Transaction)
        /// Of the customer's own subscription.
        case renewal(RenewalFacts)

        package var signedDate: Date {
            switch self {
            case .transaction(let transaction): transaction.signedDate
            case .renewal(let facts): facts.signedDate
            }
        }
    }

    package static let app: BundleID = "hangman"
    package static let products: [ProductID] = ["club.month", "club.year"]
    package static let line: TransactionID = "1"

    /// In the order in which they were signed, no two at once.
    package static let facts: [Fact] = [
        month("1", "01-01T12:00:00", until: "02-01T12:00:00"), renews("01-01T12:00:01"),
        month("2", "02-01T12:00:00", until: "03-01T12:00:00", signed: "02-01T11:59:30"), renews("02-01T11:59:31"),
        renews("02-10T12:00:00", false), renews("02-12T12:00:00"),
        month("2", "02-01T12:00:00", until: "03-01T12:00:00", signed: "02-15T12:00:00", upgraded: true),
        year("3", "02-15T12:00:00", until: "03-15T12:00:00", signed: "02-15T12:00:01"), renews("02-15T12:00:02"),
        renews("02-20T12:00:00", to: "club.month"),
        month("1", "01-01T12:00:00", until: "02-01T12:00:00", signed: "02-22T12:00:00", revoked: true),
        year("3", "02-15T12:00:00", until: "03-20T12:00:00", signed: "02-25T12:00:00"),
        year("3", "02-15T12:00:00", until: "03-18T12:00:00", signed: "02-26T12:00:00"),
        month("4", "03-18T12:00:00", until: "04-18T12:00:00", signed: "03-18T11:50:00"), renews("03-18T11:50:01"),
        renews("04-18T12:01:00", inRetry: true, grace: "04-24T12:00:00"), renews("04-24T12:00:00", inRetry: true),
        month("5", "04-27T12:00:00", until: "05-27T12:00:00"), renews("04-27T12:00:01"),
        month("5", "04-27T12:00:00", until: "05-27T12:00:00", signed: "05-05T12:00:00", revoked: true),
        renews("05-05T12:00:01", false),
        month("5", "04-27T12:00:00", until: "05-27T12:00:00", signed: "05-08T12:00:00"),
        renews("05-27T12:00:10", false, ended: 3),
        year("9", line: "9", "06-01T12:00:00", until: "07-01T12:00:00"),
        month("6", "06-10T12:00:00", until: "07-10T12:00:00"), renews("06-10T12:00:01"),
        year("9", line: "9", "06-01T12:00:00", until: "07-01T12:00:00", signed: "06-20T12:00:00", revoked: true),
    ]

    /// The access on a date of somebody who knows what was signed until then. A product that was never bought is denied
    /// as expired.
    package static let course: [(date: Date, month: Access, year: Access)] = [
        (time("01-15T12:00:00"), until("02-01T12:00:00"), .denied(.expired)),
        // Renewed, the period signed ahead.
        (time("02-01T11:59:40"), until("03-01T12:00:00"), .denied(.expired)),
        (time("02-11T12:00:00"), until("03-01T12:00:00"), .denied(.expired)),
        // Upgraded at once; the downgrade waits.
        (time("02-16T12:00:00"), .denied(.upgraded), until("03-15T12:00:00")),
        (time("02-21T12:00:00"), .denied(.upgraded), until("03-15T12:00:00")),
        // An old period refunded; the current one extended, and shortened again.
        (time("02-23T12:00:00"), .denied(.upgraded), until("03-15T12:00:00")),
        (time("02-25T13:00:00"), .denied(.upgraded), until("03-20T12:00:00")),
        (time("02-27T12:00:00"), .denied(.upgraded), until("03-18T12:00:00")),
        (time("03-18T11:55:00"), .denied(.notStarted), until("03-18T12:00:00")),
        (time("03-18T12:00:00"), until("04-18T12:00:00"), .denied(.expired)),
        // Leeway, grace, billing retry, recovery.
        (time("04-18T12:00:30"), until("04-18T12:05:00"), .denied(.expired)),
        (time("04-18T12:02:00"), until("04-24T12:00:00"), .denied(.expired)),
        (time("04-24T12:01:00"), .denied(.billingRetry), .denied(.expired)),
        (time("04-28T12:00:00"), until("05-27T12:00:00"), .denied(.expired)),
        // Refunded, and the refund reversed.
        (time("05-06T12:00:00"), .denied(.revoked), .denied(.expired)),
        (time("05-09T12:00:00"), until("05-27T12:00:00"), .denied(.expired)),
        // A price increase refused.
        (time("05-27T12:00:05"), .denied(.expired), .denied(.expired)),
        (time("05-28T12:00:00"), .denied(.expired), .denied(.expired)),
        // Shared with the family, bought again beside it, the sharing revoked.
        (time("06-02T12:00:00"), .denied(.expired), until("07-01T12:00:00")),
        (time("06-11T12:00:00"), .denied(.upgraded), until("07-01T12:00:00")),
        (time("06-21T12:00:00"), until("07-10T12:00:00"), .denied(.revoked)),
        (time("07-10T12:04:59"), until("07-10T12:05:00"), .denied(.revoked)),
        (time("07-10T12:05:00"), .denied(.expired), .denied(.revoked)),
    ]
}

extension SubscriptionLife {
    private static func time(_ text: String) -> Date { Date(rfc3339: "2026-\(text)Z") ?? .distantPast }

    private static func until(_ text: String) -> Access { .granted(until: time(text)) }

    private static func month(
        _ id: TransactionID, _ start: String, until end: String, signed: String? = nil, revoked: Bool = false,
        upgraded: Bool = false
    ) -> Fact {
        period("club.month", id, line: line, start, until: end, signed: signed, revoked: revoked, upgraded: upgraded)
    }

    private static func year(
        _ id: TransactionID, line: TransactionID = SubscriptionLife.line, _ start: String, until end: String,
        signed: String? = nil, revoked: Bool = false
    ) -> Fact {
        period("club.year", id, line: line, start, until: end, signed: signed, revoked: revoked, upgraded: false)
    }

    private static func period(
        _ product: ProductID, _ id: TransactionID, line: TransactionID, _ start: String, until end: String,
        signed: String?, revoked: Bool, upgraded: Bool
    ) -> Fact {
        let signedDate = time(signed ?? start)
        return .transaction(
            Transaction(
                id: id, originalID: line, app: app, environment: .production, productID: product,
                purchaseDate: time(start), expirationDate: time(end),
                revocation: revoked ? Transaction.Revocation(date: signedDate) : nil, isUpgraded: upgraded,
                ownershipType: line == SubscriptionLife.line ? .purchased : .familyShared, signedDate: signedDate,
                isSigned: true))
    }

    private static func renews(
        _ signed: String, _ willAutoRenew: Bool = true, to product: ProductID? = nil, inRetry: Bool = false,
        grace: String? = nil, ended reason: Int? = nil
    ) -> Fact {
        .renewal(
            RenewalFacts(
                willAutoRenew: willAutoRenew, autoRenewProductID: product, isInBillingRetry: inRetry,
                gracePeriodExpirationDate: grace.map(time), expirationReason: reason, signedDate: time(signed)))
    }
}
