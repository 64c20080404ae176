public import Foundation

/// The state of a subscription's next renewal (JWSRenewalInfoDecodedPayload, `pending_renewal_info`).
public struct RenewalFacts: Hashable, Codable, Sendable {
    /// Whether auto-renewal is on (`autoRenewStatus`); `nil` if it was not stated. It says nothing about access now.
    public var willAutoRenew: Bool?
    /// The product of the next renewal (`autoRenewProductId`); before a downgrade it differs from the current product.
    public var autoRenewProductID: ProductID?
    /// Whether the App Store still tries to charge the customer (billing retry).
    public var isInBillingRetry: Bool
    /// The end of the billing grace period: access continues until then although billing failed.
    public var gracePeriodExpirationDate: Date?
    /// Apple's `expirationIntent`: 1 cancelled, 2 billing error, 3 price increase declined, 4 product not available, 5
    /// other.
    public var expirationReason: Int?
    /// The price and what else is stated about the renewal; `nil` if no signed statement is known.
    public var details: RenewalDetails?
    /// The date of this statement. The newest statement wins as a whole, since an absent member is a statement too.
    public var signedDate: Date

    public init(
        willAutoRenew: Bool? = nil, autoRenewProductID: ProductID? = nil, isInBillingRetry: Bool = false,
        gracePeriodExpirationDate: Date? = nil, expirationReason: Int? = nil,
        details: RenewalDetails? = nil, signedDate: Date
    ) {
        self.willAutoRenew = willAutoRenew
        self.autoRenewProductID = autoRenewProductID
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        self.expirationReason = expirationReason
        self.details = details
        self.signedDate = signedDate
    }

    /// Merges another statement: the newest wins as a whole, and so does the newest of the details, which unsigned
    /// statements lack. If both are equally new, the present one stays.
    public mutating func merge(_ other: RenewalFacts) {
        let known = details
        if other.signedDate > signedDate { self = other }
        details = [known, other.details].compactMap(\.self).max { $0.signedDate < $1.signedDate }
    }
}

extension Transaction {
    /// Whether the App Store may report renewals of this original transaction.
    package var mayRenew: Bool { productType == .autoRenewable || expirationDate != nil }
}
