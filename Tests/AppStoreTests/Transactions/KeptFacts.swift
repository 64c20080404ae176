import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// A field in Apple's lists, a value of it, and where that is after it was read.
struct KeptField<Facts>: Sendable {
    var name: String
    var value: JSONValue
    /// Whether the value is there. Without the field it must not be.
    var isKept: @Sendable (Facts) -> Bool

    init(_ name: String, _ value: JSONValue, _ isKept: @escaping @Sendable (Facts) -> Bool) {
        self.name = name
        self.value = value
        self.isKept = isKept
    }
}

extension KeptField: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// Apple's JWSTransactionDecodedPayload, as of App Store Server API 1.23.
enum TransactionFields {
    static let kept: [KeptField<Transaction>] = [
        .init("transactionId", "2000000847061999") { $0.id == "2000000847061999" },
        .init("originalTransactionId", "2000000000000009") { $0.originalID == "2000000000000009" },
        .init("bundleId", "com.example.words") { $0.app == "com.example.words" },
        .init("productId", "com.example.club") { $0.productID == "com.example.club" },
        .init("subscriptionGroupIdentifier", "31") { $0.subscriptionGroupID == "31" },
        .init("purchaseDate", .integer(day(1))) { $0.purchaseDate.milliseconds == day(1) },
        .init("originalPurchaseDate", .integer(day(2))) { $0.originalPurchaseDate?.milliseconds == day(2) },
        .init("expiresDate", .integer(day(3))) { $0.expirationDate?.milliseconds == day(3) },
        .init("quantity", 7) { $0.quantity == 7 },
        .init("type", "Auto-Renewable Subscription") { $0.productType == .autoRenewable },
        .init("appAccountToken", "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2e") {
            $0.appAccountToken?.text == "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2e"
        },
        .init("inAppOwnershipType", "FAMILY_SHARED") { $0.ownershipType == .familyShared },
        .init("signedDate", .integer(Date.t0.milliseconds - 5_000)) { $0.signedDate == .t0 - 5 },
        .init("revocationDate", .integer(day(4))) { $0.revocation?.date.milliseconds == day(4) },
        .init("revocationReason", 0) { $0.revocationDetails?.reason == 0 },
        .init("revocationType", "REFUND_PRORATED") { $0.revocationDetails?.type == "REFUND_PRORATED" },
        .init("revocationPercentage", 40_000) { $0.revocation?.percentage == 40_000 },
        .init("isUpgraded", true) { $0.isUpgraded },
        .init("offerType", 2) { $0.details?.offer?.type == 2 },
        .init("offerIdentifier", "spring") { $0.details?.offer?.id == "spring" },
        .init("offerDiscountType", "PAY_UP_FRONT") { $0.details?.offer?.discountType == "PAY_UP_FRONT" },
        .init("offerPeriod", "P3M") { $0.details?.offer?.period == "P3M" },
        .init("environment", "Sandbox") { $0.environment == .sandbox },
        .init("transactionReason", "RENEWAL") { $0.details?.reason == "RENEWAL" },
        .init("storefront", "JPN") { $0.details?.storefront == "JPN" },
        .init("storefrontId", "143462") { $0.details?.storefrontID == "143462" },
        .init("price", 230_000) { $0.details?.price == 230_000 },
        .init("currency", "JPY") { $0.details?.currency == "JPY" },
        .init("appTransactionId", "704") { $0.details?.appTransactionID == "704" },
        .init("webOrderLineItemId", "2000000077") { $0.details?.webOrderLineItemID == "2000000077" },
        .init("additionalTransactionReason", "SEAT_ADDITION") { $0.details?.additionalReason == "SEAT_ADDITION" },
        .init("multiSeatInfo", ["invitationManagement": "DEVELOPER", "revokedSeatQuantity": 3]) {
            $0.details?.seats == SeatDetails(invitations: "DEVELOPER", revoked: 3)
        },
        .init("billingPlanType", "MONTHLY") { $0.details?.billingPlan == "MONTHLY" },
        .init("commitmentInfo", commitment) {
            $0.details?.commitment
                == CommitmentDetails(period: 3, periods: 12, price: 95_880, end: Date(milliseconds: day(9)))
        },
    ]

    private static let commitment: JSONValue = [
        "billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentPrice": 95_880,
        "commitmentExpiresDate": .integer(day(9)),
    ]

    static let notKept = [
        "advancedCommerceInfo": "of apps with the Advanced Commerce API, whose catalog is not this server's",
        "previousOriginalTransactionId": "only in notifications about a migration between apps",
        "deviceVerification": "a proof for one request, compared when it is sent",
        "deviceVerificationNonce": "the same",
    ]
}

/// Apple's JWSRenewalInfoDecodedPayload.
enum RenewalFields {
    static let kept: [KeptField<RenewalFacts>] = [
        .init("autoRenewProductId", "yearly") { $0.autoRenewProductID == "yearly" },
        .init("autoRenewStatus", 1) { $0.willAutoRenew == true },
        .init("renewalDate", .integer(day(5))) { $0.details?.renewalDate?.milliseconds == day(5) },
        .init("renewalPrice", 4_990) { $0.details?.price == 4_990 },
        .init("currency", "USD") { $0.details?.currency == "USD" },
        .init("isInBillingRetryPeriod", true) { $0.isInBillingRetry },
        .init("gracePeriodExpiresDate", .integer(day(6))) {
            $0.gracePeriodExpirationDate?.milliseconds == day(6)
        },
        .init("expirationIntent", 3) { $0.expirationReason == 3 },
        .init("priceIncreaseStatus", 0) { $0.details?.priceIncreaseStatus == 0 },
        .init("offerType", 4) { $0.details?.offer?.type == 4 },
        .init("offerIdentifier", "back") { $0.details?.offer?.id == "back" },
        .init("offerDiscountType", "FREE_TRIAL") { $0.details?.offer?.discountType == "FREE_TRIAL" },
        .init("offerPeriod", "P1W") { $0.details?.offer?.period == "P1W" },
        .init("eligibleWinBackOfferIds", ["a", "b"]) { $0.details?.winBackOfferIDs == ["a", "b"] },
        .init("recentSubscriptionStartDate", .integer(day(7))) {
            $0.details?.recentStartDate?.milliseconds == day(7)
        },
        .init("signedDate", .integer(day(0))) { $0.signedDate.milliseconds == day(0) },
        .init("renewalQuantity", 4) { $0.details?.quantity == 4 },
        .init("multiSeatInfo", ["renewalPriceTiers": [["price": 990, "quantity": 4]]]) {
            $0.details?.priceTiers == [RenewalDetails.PriceTier(price: 990, quantity: 4)]
        },
        .init("renewalBillingPlanType", "MONTHLY") { $0.details?.billingPlan == "MONTHLY" },
        .init("commitmentInfo", commitment) { facts in
            var commitment = RenewalDetails.Commitment()
            commitment.willAutoRenew = true
            commitment.productID = "club"
            commitment.billingPlan = "BILLED_UPFRONT"
            commitment.renewalDate = Date(milliseconds: day(9))
            commitment.price = 95_880
            return facts.details?.commitment == commitment
        },
    ]

    private static let commitment: JSONValue = [
        "commitmentAutoRenewStatus": 1, "commitmentAutoRenewProductId": "club",
        "commitmentRenewalBillingPlanType": "BILLED_UPFRONT", "commitmentRenewalDate": .integer(day(9)),
        "commitmentRenewalPrice": 95_880,
    ]

    static let notKept = [
        "originalTransactionId": "the key under which it is kept",
        "productId": "that of the newest transaction",
        "environment": "part of the key",
        "appAccountToken": "the next transaction has it",
        "appTransactionId": "the transactions have it",
        "advancedCommerceInfo": "of apps with the Advanced Commerce API, whose catalog is not this server's",
    ]
}

/// The attributes of an app receipt, and those of a purchase in it.
enum AppReceiptFields {
    static let kept: [(attribute: Int, value: Node, isKept: @Sendable (Transaction) -> Bool)] = [
        (0, text("ProductionSandbox"), { $0.environment == .sandbox }),
        (2, text("com.example.words"), { $0.app == "com.example.words" }),
        (12, date("2026-11-20T21:36:00Z"), { $0.signedDate == .t0 - 60 }),
        (3, text("1.1.9"), { $0.details?.appVersion == "1.1.9" }),
        (19, text("1.7"), { $0.details?.originalAppVersion == "1.7" }),
        (1701, .integer(9), { $0.quantity == 9 }),
        (1702, text("club"), { $0.productID == "club" }),
        (1703, text("2000000000000009"), { $0.id == "2000000000000009" }),
        (1704, date("2026-11-18T21:37:00Z"), { $0.purchaseDate == .t0 - 2 * 86_400 }),
        (1705, text("2000000000000008"), { $0.originalID == "2000000000000008" }),
        (1706, date("2026-11-17T21:37:00Z"), { $0.originalPurchaseDate == .t0 - 3 * 86_400 }),
        (1708, date("2026-11-21T21:37:00Z"), { $0.expirationDate == .t0 + 86_400 }),
        (1711, .integer(1_000_000_000_000_009), { $0.details?.webOrderLineItemID == "1000000000000009" }),
        (1712, date("2026-11-19T21:37:00Z"), { $0.revocation?.date == .t0 - 86_400 }),
        (1713, .integer(1), { $0.details?.isTrialPeriod == true }),
        (1719, .integer(1), { $0.details?.isIntroductoryPeriod == true }),
        (1721, text("spring"), { $0.details?.offer?.id == "spring" }),
    ]

    static let notKept = [
        1: "compared with the catalog's", 4: "of the device", 5: "of the device", 15: "of the download",
        16: "kept with the receipt",
        17: "the purchases", 18: "of the app, no purchase", 21: "of volume purchases; an ended one is refused",
        1707: "not documented by Apple: it cannot decide a type", 1710: "the number of the product, which has its ID",
    ]

    private static func text(_ text: String) -> Node { AppReceiptMaker.text(text) }
    private static func date(_ text: String) -> Node { AppReceiptMaker.date(text) }
}

/// The members of an entry of verifyReceipt in either style. Dates are in milliseconds.
enum VerifyReceiptFields {
    static let kept: [KeptField<Transaction>] = [
        .init("quantity", "7") { $0.quantity == 7 },
        .init("product_id", "club") { $0.productID == "club" },
        .init("transaction_id", "1000000109") { $0.id == "1000000109" },
        .init("original_transaction_id", "1000000009") { $0.originalID == "1000000009" },
        .init("purchase_date_ms", .string("\(day(1))")) { $0.purchaseDate.milliseconds == day(1) },
        .init("original_purchase_date_ms", .string("\(day(2))")) { $0.originalPurchaseDate?.milliseconds == day(2) },
        .init("expires_date_ms", .string("\(day(3))")) { $0.expirationDate?.milliseconds == day(3) },
        .init("web_order_line_item_id", "1000000077") { $0.details?.webOrderLineItemID == "1000000077" },
        .init("is_trial_period", "true") { $0.details?.isTrialPeriod == true },
        .init("is_in_intro_offer_period", "true") { $0.details?.isIntroductoryPeriod == true },
        .init("cancellation_date_ms", .string("\(day(4))")) { $0.revocation?.date.milliseconds == day(4) },
        .init("cancellation_reason", "0") { $0.revocationDetails?.reason == 0 },
        .init("promotional_offer_id", "spring") { $0.details?.offer?.id == "spring" },
        .init("offer_code_ref_name", "code") { $0.details?.offer?.id == "code" },
        .init("in_app_ownership_type", "PURCHASED") { $0.ownershipType == .purchased },
        .init("is_upgraded", "true") { $0.isUpgraded },
        .init("subscription_group_identifier", "31") { $0.subscriptionGroupID == "31" },
        .init("app_account_token", "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2e") {
            $0.appAccountToken?.text == "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2e"
        },
        .init("bvrs", "2.5") { $0.details?.appVersion == "2.5" },
    ]

    static let documented: Set = [
        "quantity", "product_id", "transaction_id", "original_transaction_id", "purchase_date_ms",
        "original_purchase_date_ms", "expires_date_ms", "web_order_line_item_id", "is_trial_period",
        "is_in_intro_offer_period", "cancellation_date_ms", "cancellation_reason", "promotional_offer_id",
        "offer_code_ref_name", "in_app_ownership_type", "is_upgraded", "subscription_group_identifier",
        "app_account_token", "bvrs", "bid", "item_id", "app_item_id", "version_external_identifier",
        "unique_identifier", "unique_vendor_identifier",
    ]

    static let notKept = [
        "bid": "the app, which is part of the key", "item_id": "the number of the product, which has its ID",
        "app_item_id": "compared with the catalog's", "version_external_identifier": "kept with the receipt",
        "unique_identifier": "of the device", "unique_vendor_identifier": "of the device",
    ]
}

/// Milliseconds of some day before ``Foundation/Date/t0``, each a different one.
private func day(_ number: Int) -> Int { Date.t0.milliseconds - (10 - number) * 86_400_000 }
