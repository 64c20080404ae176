public import Foundation

/// What the store says of a subscription's next renewal (JWSRenewalInfoDecodedPayload, `pending_renewal_info`).
public struct RenewalFacts: Hashable, Codable, Sendable {
    /// Auto-renew is on. Says nothing about access now.
    public var willAutoRenew: Bool?
    /// What it renews to; differs from the current product before a downgrade.
    public var autoRenewProductID: ProductID?
    /// The store still tries to bill.
    public var isInBillingRetry: Bool
    /// Access goes on until then although billing failed.
    public var gracePeriodExpirationDate: Date?
    /// Why it expired: 1 cancelled, 2 billing error, 3 price increase refused, 4 product not available, 5 other.
    public var expirationReason: Int?
    /// When the store said this. The newest wins as a whole, since an absent member here is a statement.
    public var signedDate: Date

    public init(
        willAutoRenew: Bool? = nil, autoRenewProductID: ProductID? = nil, isInBillingRetry: Bool = false,
        gracePeriodExpirationDate: Date? = nil, expirationReason: Int? = nil, signedDate: Date
    ) {
        self.willAutoRenew = willAutoRenew
        self.autoRenewProductID = autoRenewProductID
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        self.expirationReason = expirationReason
        self.signedDate = signedDate
    }
}

extension Transaction {
    /// Whether the store may tell of renewals of its original transaction.
    var mayRenew: Bool { productType == .autoRenewable || expirationDate != nil }
}
