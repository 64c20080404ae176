import Foundation
import InAppPurchase

/// The members of JWSTransactionDecodedPayload that are used, under Apple's names; all others are ignored.
///
/// Decoding fails if a date or an ID is invalid, or a member that every transaction has is missing.
struct TransactionPayload: Decodable {
    var transactionId: AppStoreID
    var originalTransactionId: AppStoreID
    var bundleId: BundleID
    var productId: ProductID
    var type: String?
    var quantity: Int?
    var purchaseDate: AppStoreDate
    var originalPurchaseDate: Lenient<AppStoreDate>?
    var expiresDate: AppStoreDate?
    var revocationDate: AppStoreDate?
    var revocationReason: Lenient<Int>?
    /// The refunded share, of Apple's type as in its libraries; a number outside of 0 to 100,000 is ignored.
    var revocationPercentage: Double?
    var revocationType: Lenient<String>?
    var isUpgraded: Bool?
    var inAppOwnershipType: String?
    var appAccountToken: Lenient<String>?
    var subscriptionGroupIdentifier: Lenient<String>?
    var signedDate: AppStoreDate
    var environment: String?
    /// The price, of Apple's type as in its libraries; one that is no whole number is ignored, and so is such a type of
    /// the offer.
    var price: Lenient<Double>?
    var currency: Lenient<String>?
    var storefront: Lenient<String>?
    var storefrontId: Lenient<String>?
    var offerType: Lenient<Double>?
    var offerIdentifier: Lenient<String>?
    var offerDiscountType: Lenient<String>?
    var offerPeriod: Lenient<String>?
    var transactionReason: Lenient<String>?
    var webOrderLineItemId: Lenient<String>?
    var appTransactionId: Lenient<String>?
    var additionalTransactionReason: Lenient<String>?
    var multiSeatInfo: Lenient<MultiSeatInfo>?
    var billingPlanType: Lenient<String>?
    var commitmentInfo: Lenient<CommitmentInfo>?

    /// Apple's TransactionMultiSeatInfo, without its prices, of which `price` is the average.
    struct MultiSeatInfo: Decodable {
        var invitationManagement: Lenient<String>?
        var revokedSeatQuantity: Lenient<Int>?
    }

    /// Apple's TransactionCommitmentInfo.
    struct CommitmentInfo: Decodable {
        var billingPeriodNumber: Lenient<Int>?
        var totalBillingPeriods: Lenient<Int>?
        var commitmentPrice: Lenient<Int>?
        var commitmentExpiresDate: Lenient<AppStoreDate>?
    }

    /// - Throws: `malformed` for values that no transaction of the App Store has.
    func transaction(in environment: Environment) throws(ReceiptRejection) -> Transaction {
        guard !productId.text.isEmpty, AppStoreBounds.quantity.contains(quantity ?? 1) else {
            throw ReceiptRejection(.malformed, "no product, or an impossible quantity")
        }
        let productType = ProductType(store: type)
        guard productType != .autoRenewable || expiresDate != nil else {
            throw ReceiptRejection(.malformed, "a subscription without an end")
        }
        return Transaction(
            id: transactionId.id, originalID: originalTransactionId.id, app: bundleId, environment: environment,
            productID: productId, productType: productType, quantity: quantity ?? 1, purchaseDate: purchaseDate.date,
            originalPurchaseDate: originalPurchaseDate?.value?.date, expirationDate: expiresDate?.date,
            revocation: revocation, isUpgraded: isUpgraded ?? false,
            ownershipType: Transaction.OwnershipType(store: inAppOwnershipType),
            appAccountToken: appAccountToken?.value.flatMap(UUID.init(uuidString:)),
            subscriptionGroupID: subscriptionGroupIdentifier?.value, details: details, signedDate: signedDate.date,
            isSigned: true)
    }

    private var revocation: Transaction.Revocation? {
        revocationDate.map { date in
            Transaction.Revocation(
                date: date.date, reason: revocationReason?.value,
                percentage: revocationPercentage.flatMap { Int(exactly: $0.rounded()) }.flatMap {
                    AppStoreBounds.percentage.contains($0) ? $0 : nil
                })
        }
    }

    private var details: PurchaseDetails? {
        var details = PurchaseDetails()
        details.price = price?.value.flatMap(Int.init(exactly:))
        details.currency = currency?.value
        details.storefront = storefront?.value
        details.storefrontID = storefrontId?.value
        details.offer = PurchaseOffer(
            type: offerType?.value, id: offerIdentifier, discountType: offerDiscountType, period: offerPeriod)
        details.reason = transactionReason?.value
        details.webOrderLineItemID = webOrderLineItemId?.value
        details.appTransactionID = appTransactionId?.value
        details.additionalReason = additionalTransactionReason?.value
        details.seats = multiSeatInfo?.value.map { SeatDetails($0) }
        details.billingPlan = billingPlanType?.value
        details.commitment = commitmentInfo?.value.flatMap { CommitmentDetails($0) }
        if let revocationDate, revocationReason?.value != nil || revocationType?.value != nil {
            details.revocation = RevocationDetails(
                date: revocationDate.date, reason: revocationReason?.value, type: revocationType?.value)
        }
        return details.nonEmpty
    }
}

extension SeatDetails {
    fileprivate init(_ info: TransactionPayload.MultiSeatInfo) {
        let revoked = info.revokedSeatQuantity?.value
        self.init(
            invitations: info.invitationManagement?.value,
            revoked: revoked.flatMap { AppStoreBounds.quantity.contains($0) ? $0 : nil })
    }
}

extension CommitmentDetails {
    /// `nil` if the App Store states nothing of it.
    fileprivate init?(_ info: TransactionPayload.CommitmentInfo) {
        self.init(
            period: info.billingPeriodNumber?.value, periods: info.totalBillingPeriods?.value,
            price: info.commitmentPrice?.value, end: info.commitmentExpiresDate?.value?.date)
        if self == CommitmentDetails() { return nil }
    }
}

/// A member that decides nothing: a value of another type is ignored, so that it costs nobody a purchase.
struct Lenient<Value: Decodable>: Decodable {
    /// The value; `nil` if it is of another type.
    var value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }

    init(_ value: Value?) { self.value = value }
}

extension Lenient: Sendable where Value: Sendable {}
