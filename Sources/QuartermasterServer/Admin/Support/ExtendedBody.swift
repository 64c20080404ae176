import Foundation
import InAppPurchase

/// A subscription whose renewal date was extended.
struct ExtendedBody: Encodable {
    var app: BundleID
    var environment: Environment
    var originalID: TransactionID
    var days: Int
    /// The new renewal date.
    var expirationDate: Date

    init(_ question: RenewalDates.Question, until date: Date) {
        app = question.subscription.app
        environment = question.subscription.environment
        originalID = question.subscription.originalID
        days = question.days
        expirationDate = date
    }
}
