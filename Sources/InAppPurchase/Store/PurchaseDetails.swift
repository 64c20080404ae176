public import Foundation

/// The facts of a purchase that decide no access: the price, where and how it was sold.
///
/// Each member is `nil` if no copy of the transaction states it: app receipts have a few of them, old signed
/// transactions fewer than new ones. All were settled with the purchase, so that copies complement each other and never
/// disagree; if two do, the greater value wins, in whichever order they come, and for ``appVersion`` the lower one.
///
/// Source: Apple, JWSTransactionDecodedPayload, "Validating receipts on the device", responseBody.Receipt.
public struct PurchaseDetails: Hashable, Codable, Sendable {
    /// The price in thousandths of ``currency``, quantity and offer included; of a subscription the average of one seat
    /// (`price`).
    public var price: Int?
    /// The currency of the price (ISO 4217).
    public var currency: String?
    /// The storefront of the purchase (ISO 3166-1, three letters).
    public var storefront: String?
    /// Apple's number of the storefront (`storefrontId`).
    public var storefrontID: String?
    /// The offer that was used.
    public var offer: PurchaseOffer?
    /// Whether the period is a free trial, as app receipts (attribute 1713) and verifyReceipt (`is_trial_period`) say.
    public var isTrialPeriod: Bool?
    /// Whether the period is one of an introductory price (attribute 1719, `is_in_intro_offer_period`).
    public var isIntroductoryPeriod: Bool?
    /// Apple's `transactionReason`: `PURCHASE`, also for upgrades, or `RENEWAL`. An open set.
    public var reason: String?
    /// Why more than one transaction represents the period (`additionalTransactionReason`): `SEAT_ADDITION`, which the
    /// first of them has, too. An open set.
    public var additionalReason: String?
    /// The seats of a subscription for several people; `nil` of others.
    public var seats: SeatDetails?
    /// How the period is paid (`billingPlanType`): `BILLED_UPFRONT`, or `MONTHLY` in a commitment. An open set.
    public var billingPlan: String?
    /// The commitment that the period is a part of.
    public var commitment: CommitmentDetails?
    /// Apple's ID of the purchase of this period, the same on all devices (`webOrderLineItemId`).
    public var webOrderLineItemID: String?
    /// The ID of the customer's copy of the app (`appTransactionId`).
    public var appTransactionID: String?
    /// The version of the app that made the purchase, or else presented it: the lowest one of all receipts with it
    /// (attribute 3, `application_version`, and `bvrs` in the style of iOS 6). A signed transaction states none.
    public var appVersion: String?
    /// The version of the app that the customer first obtained (attribute 19, `original_application_version`).
    public var originalAppVersion: String?
    /// The ID on the invoice that the customer got by e-mail (`orderId`).
    public var orderID: String?
    /// Why the newest revocation happened, whether it still stands or not.
    public var revocation: RevocationDetails?

    /// The ``reason`` of renewals.
    package static let renewalReason = "RENEWAL"
    /// The ``additionalReason`` of periods to which seats were added.
    package static let seatAddition = "SEAT_ADDITION"

    public init() {}

    /// The details; `nil` if nothing was stated, so that nothing is stored.
    package var nonEmpty: Self? { self == Self() ? nil : self }

    /// Whether the period is a free trial: a copy says so, or an introductory period that cost nothing. `nil` if no
    /// copy states anything about it.
    public var isTrial: Bool? {
        if isTrialPeriod == true || offer?.isFreeTrial == true { return true }
        if offer?.isIntroductory == true, price == 0 { return true }
        return isTrialPeriod ?? (offer != nil || price != nil ? false : nil)
    }

    /// Adds what another copy states. Commutative, associative and idempotent.
    public mutating func fill(from other: Self) {
        price = greater(price, other.price)
        currency = greater(currency, other.currency)
        storefront = greater(storefront, other.storefront)
        storefrontID = greater(storefrontID, other.storefrontID)
        if let offered = other.offer, offer?.fill(from: offered) == nil { offer = offered }
        isTrialPeriod = either(isTrialPeriod, other.isTrialPeriod)
        isIntroductoryPeriod = either(isIntroductoryPeriod, other.isIntroductoryPeriod)
        reason = greater(reason, other.reason)
        additionalReason = greater(additionalReason, other.additionalReason)
        if let stated = other.seats, seats?.fill(from: stated) == nil { seats = stated }
        billingPlan = greater(billingPlan, other.billingPlan)
        if let stated = other.commitment, commitment?.fill(from: stated) == nil { commitment = stated }
        webOrderLineItemID = greater(webOrderLineItemID, other.webOrderLineItemID)
        appTransactionID = greater(appTransactionID, other.appTransactionID)
        appVersion = AppVersion.lower(appVersion, other.appVersion)
        originalAppVersion = greater(originalAppVersion, other.originalAppVersion)
        orderID = greater(orderID, other.orderID)
        if let stated = other.revocation, revocation?.fill(from: stated) == nil { revocation = stated }
    }

    private func either(_ mine: Bool?, _ theirs: Bool?) -> Bool? {
        guard let mine, let theirs else { return mine ?? theirs }
        return mine || theirs
    }
}

/// The greater of two statements; if only one is present, that one.
func greater<Value: Comparable>(_ mine: Value?, _ theirs: Value?) -> Value? {
    guard let mine, let theirs else { return mine ?? theirs }
    return max(mine, theirs)
}

/// Why a transaction was revoked. Copies that only state the date of the revocation do not clear it.
public struct RevocationDetails: Hashable, Codable, Sendable {
    /// The date of the revocation that this is about.
    public var date: Date
    /// Apple's `revocationReason`, or `cancellation_reason`: 1 for an issue with the app, 0 for any other.
    public var reason: Int?
    /// Apple's `revocationType`: `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE`. An open set.
    public var type: String?

    public init(date: Date, reason: Int? = nil, type: String? = nil) {
        self.date = date
        self.reason = reason
        self.type = type
    }

    /// Adds what another copy states about the same revocation; of two revocations the later one stands.
    mutating func fill(from other: Self) {
        guard other.date == date else {
            if other.date > date { self = other }
            return
        }
        reason = greater(reason, other.reason)
        type = greater(type, other.type)
    }
}

/// The seats of a subscription for several people. Their number is the ``Transaction/quantity``.
///
/// Source: Apple, TransactionMultiSeatInfo (App Store Server API 1.23).
public struct SeatDetails: Hashable, Codable, Sendable {
    /// Apple's `invitationManagement`: `APPLE` or `DEVELOPER`. An open set.
    public var invitations: String?
    /// The number of seats that refunds took back (`revokedSeatQuantity`); `nil` if none did. The purchaser keeps the
    /// access as long as there is no ``Transaction/revocation``.
    public var revoked: Int?

    public init(invitations: String? = nil, revoked: Int? = nil) {
        self.invitations = invitations
        self.revoked = revoked
    }

    mutating func fill(from other: Self) {
        invitations = greater(invitations, other.invitations)
        revoked = greater(revoked, other.revoked)
    }
}

/// The place of a period in a commitment: a year that is paid month by month.
///
/// Source: Apple, TransactionCommitmentInfo (App Store Server API 1.21).
public struct CommitmentDetails: Hashable, Codable, Sendable {
    /// The number of the period, from 1 (`billingPeriodNumber`).
    public var period: Int?
    /// The number of periods (`totalBillingPeriods`).
    public var periods: Int?
    /// The price of all periods together, in thousandths of ``PurchaseDetails/currency`` (`commitmentPrice`).
    public var price: Int?
    /// The end of the last period (`commitmentExpiresDate`).
    public var end: Date?

    public init(period: Int? = nil, periods: Int? = nil, price: Int? = nil, end: Date? = nil) {
        self.period = period
        self.periods = periods
        self.price = price
        self.end = end
    }

    mutating func fill(from other: Self) {
        period = greater(period, other.period)
        periods = greater(periods, other.periods)
        price = greater(price, other.price)
        end = greater(end, other.end)
    }
}
