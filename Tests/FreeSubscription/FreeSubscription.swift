public import Foundation
public import InAppPurchase

/// Subscribed to for nothing, and kept without end: a newsletter, a magazine that advertisements pay for.
public struct FreeSubscription: ProductHandler {
    public static let productType = ProductType(rawValue: "free-subscription")

    /// When there is something to read; `nil` if there always is.
    public var opens: Date?

    public init(opens: Date? = nil) { self.opens = opens }

    /// Granted without end while one subscription stands whose terms say that it is open by now. More of them change
    /// nothing.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let standing = history.purchases.filter {
            $0.transaction.productID == product && $0.transaction.revocation == nil
        }
        return Entitlement(access: access(by: standing.map(\.terms), at: date), credits: history.credits(of: product))
    }

    private static func access(by subscriptions: [Self], at date: Date) -> Access {
        if subscriptions.isEmpty { return .denied(.revoked) }
        let isOpen = subscriptions.contains { $0.opens.map { $0 <= date } ?? true }
        return isOpen ? .granted(until: nil) : .denied(.notOpenYet)
    }
}

extension FreeSubscription {
    private enum CodingKeys: CodingKey { case opens }

    /// - Throws: `DecodingError` where `opens` is no RFC 3339 time.
    public init(from decoder: any Decoder) throws {
        opens = try decoder.container(keyedBy: CodingKeys.self).decodeTimeIfPresent(forKey: .opens)
    }

    public func encode(to encoder: any Encoder) throws {
        var settings = encoder.container(keyedBy: CodingKeys.self)
        try settings.encodeIfPresent(opens?.rfc3339, forKey: .opens)
    }
}

extension DenialReason {
    /// The subscription stands, and there is nothing to read yet.
    public static let notOpenYet = Self(rawValue: "notOpenYet")
}
