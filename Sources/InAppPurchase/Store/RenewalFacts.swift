public import Foundation

/// The state of a subscription's next renewal (JWSRenewalInfoDecodedPayload, `pending_renewal_info`).
public struct RenewalFacts: Hashable, Codable, Sendable {
    /// The subscription's status, as the App Store states it beside the renewal (`status`).
    public struct Status: Hashable, Codable, Sendable {
        /// Apple's number: 1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked.
        public var number: Int
        /// The date of the statement.
        public var date: Date

        public init(number: Int, date: Date) {
            self.number = number
            self.date = date
        }
    }

    /// The maximum grace, in seconds, that a status without a date gives: Apple's longest billing grace period.
    private static let maximumGrace: TimeInterval = 28 * 86_400

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
    /// Apple's `price_increase_status` in verifyReceipt, else `price_consent_status`: as ``RenewalDetails`` have it.
    package var priceIncreaseStatus: Int?
    /// The newest status; `nil` if none was stated.
    public var status: Status?
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

    /// Merges another statement: the newest wins as a whole, and so do the newest of the details, which unsigned
    /// statements lack, and the newest status. If both are equally new, the present one stays.
    public mutating func merge(_ other: RenewalFacts) {
        let known = details
        status = [status, other.status].compactMap(\.self).max { $0.date < $1.date }
        let newestStatus = status
        if other.signedDate > signedDate { self = other }
        details = [known, other.details].compactMap(\.self).max { $0.signedDate < $1.signedDate }
        status = newestStatus
    }

    /// The answer to a price increase, by the newest statement: 0 if the customer was asked and has not answered, 1 if
    /// the customer consented or was only notified; `nil` if there is none.
    package var priceIncrease: Int? {
        guard let priceIncreaseStatus, details.map({ signedDate > $0.signedDate }) ?? true else {
            return details?.priceIncreaseStatus
        }
        return priceIncreaseStatus
    }

    /// The status that speaks of a period: it was stated after the period began.
    private func status(of start: Date) -> Status? { status.flatMap { $0.date > start ? $0 : nil } }

    /// Whether the App Store's status says that a period is over, which ends what goes beyond the period's own end.
    ///
    /// - Parameters:
    ///   - start: of the period.
    ///   - end: of the period.
    public func isOver(from start: Date, to end: Date) -> Bool {
        status(of: start).map { $0.number == 2 && end <= $0.date } ?? false
    }

    /// Whether the App Store's status says that a period that began at `start` was revoked.
    public func isRevoked(from start: Date) -> Bool { status(of: start)?.number == 5 }

    /// The end of the billing grace period after a period; `nil` if there is none. One without a date lasts until the
    /// next status, at most 28 days.
    public func graceEnd(from start: Date, to end: Date) -> Date? {
        if isOver(from: start, to: end) { return nil }
        if let gracePeriodExpirationDate { return gracePeriodExpirationDate }
        return status(of: start)?.number == 4 ? end.addingTimeInterval(Self.maximumGrace) : nil
    }
}

extension Transaction {
    /// Whether the App Store may report renewals of this original transaction.
    package var mayRenew: Bool { productType == .autoRenewable || expirationDate != nil }
}
