import Foundation
import InAppPurchase

/// The members of a purchase that decide access: a paid period of a subscription.
struct Period: Codable, Hashable, Sendable {
    var id: TransactionID
    var product: ProductID
    var start: Date
    /// `nil` if no copy states it.
    var end: Date?
    var isRevoked: Bool
    var isUpgraded: Bool
    var level: Int?
    /// In seconds.
    var leeway: TimeInterval

    init(_ purchase: Purchase<AutoRenewableSubscription>) {
        let transaction = purchase.transaction
        id = transaction.id
        product = transaction.productID
        start = transaction.purchaseDate
        end = transaction.expirationDate
        isRevoked = transaction.revocation != nil
        isUpgraded = transaction.isUpgraded
        level = purchase.terms.level
        leeway = purchase.terms.leeway
    }

    /// The order of periods, newest first; of one date the higher level first, then the smaller ID, so that it is
    /// stable.
    var recency: (age: TimeInterval, level: Int, id: TransactionID) {
        (-start.timeIntervalSinceReferenceDate, level ?? .max, id)
    }

    /// Whether the paid period has not ended.
    func isPaid(at date: Date) -> Bool { end.map { $0 > date } ?? false }

    /// Why the product is denied if another one of its group decides.
    func reasonSuperseded(at date: Date) -> DenialReason {
        if isRevoked { return .revoked }
        return isUpgraded || isPaid(at: date) ? .upgraded : .expired
    }
}
