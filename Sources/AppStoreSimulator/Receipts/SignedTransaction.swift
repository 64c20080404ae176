import Crypto
import Foundation
import InAppPurchase

/// The payload of a signed transaction (Apple, JWSTransactionDecodedPayload). Dates are milliseconds since 1970, prices
/// milliunits of the currency.
struct SignedTransaction: Encodable {
    /// Apple, TransactionMultiSeatInfo.
    struct MultiSeatInfo: Encodable {
        var invitationManagement: String
        var priceTiers: [SeatPriceTier]
        var revokedSeatQuantity: Int?

        init(_ seats: Seats, of purchase: StoredPurchase) {
            let quantity = purchase.transaction.quantity
            invitationManagement = seats.invitations.rawValue
            priceTiers = purchase.price.map { [SeatPriceTier(price: $0, quantity: quantity)] } ?? []
            revokedSeatQuantity = seats.revoked > 0 ? seats.revoked : nil
        }
    }

    /// Apple, TransactionCommitmentInfo.
    struct CommitmentInfo: Encodable {
        var billingPeriodNumber: Int
        var totalBillingPeriods = BillingPlan.periods
        var commitmentPrice: Int?
        var commitmentExpiresDate: Int?

        /// The commitment that the period is a part of; `nil` for none.
        init?(_ purchase: StoredPurchase) {
            guard let subscription = purchase.subscription, let number = subscription.billingPeriodNumber else {
                return nil
            }
            billingPeriodNumber = number
            commitmentPrice = subscription.standardPrice?.saturatingMultiplied(by: BillingPlan.periods)
            commitmentExpiresDate = purchase.commitmentEnd?.milliseconds
        }
    }

    var transactionId: String
    var originalTransactionId: String
    var webOrderLineItemId: String?
    var bundleId: String
    var productId: String
    var subscriptionGroupIdentifier: String?
    var purchaseDate: Int
    var originalPurchaseDate: Int
    var expiresDate: Int?
    var quantity: Int
    var type: String?
    var appAccountToken: String?
    var inAppOwnershipType: String
    var signedDate: Int
    var revocationDate: Int?
    var revocationReason: Int?
    var revocationType: String?
    var revocationPercentage: Int?
    var isUpgraded: Bool?
    var offerType: Int?
    var offerIdentifier: String?
    var offerDiscountType: String?
    var offerPeriod: CalendarDuration?
    var environment: String
    var transactionReason: String
    var additionalTransactionReason: String?
    var multiSeatInfo: MultiSeatInfo?
    var billingPlanType: String?
    var commitmentInfo: CommitmentInfo?
    var storefront: String
    var storefrontId: String?
    var price: Int?
    var currency: String?
    var appTransactionId: String
    var deviceVerification: String?
    var deviceVerificationNonce: String?

    init(_ purchase: StoredPurchase, signedDate: Date) {
        let transaction = purchase.transaction
        transactionId = transaction.id.text
        originalTransactionId = transaction.originalID.text
        webOrderLineItemId = purchase.subscription?.webOrderLineItemID
        bundleId = transaction.app.text
        productId = transaction.productID.text
        subscriptionGroupIdentifier = transaction.subscriptionGroupID
        purchaseDate = transaction.purchaseDate.milliseconds
        originalPurchaseDate = (transaction.originalPurchaseDate ?? transaction.purchaseDate).milliseconds
        expiresDate = transaction.expirationDate?.milliseconds
        quantity = transaction.quantity
        type = transaction.productType?.storeWord
        appAccountToken = transaction.appAccountToken?.text
        inAppOwnershipType = transaction.ownershipType.rawValue
        self.signedDate = signedDate.milliseconds
        revocationDate = transaction.revocation?.date.milliseconds
        revocationReason = transaction.revocation?.reason
        revocationType = purchase.revocationType
        revocationPercentage = purchase.revocationPercentage
        isUpgraded = transaction.isUpgraded ? true : nil
        offerType = purchase.offer?.type
        offerIdentifier = purchase.offer?.identifier
        offerDiscountType = purchase.offer?.discountType
        offerPeriod = purchase.offer?.period
        environment = transaction.environment.rawValue
        transactionReason = purchase.isRenewal ? "RENEWAL" : "PURCHASE"
        storefront = purchase.storefront
        storefrontId = Storefront.id(of: storefront)
        price = purchase.price
        currency = purchase.price == nil ? nil : purchase.currency
        appTransactionId = purchase.customer.appTransactionID
        additionalTransactionReason = purchase.sharesPeriod ? "SEAT_ADDITION" : nil
        multiSeatInfo = purchase.seats.map { MultiSeatInfo($0, of: purchase) }
        billingPlanType = purchase.subscription?.billingPlan?.rawValue
        commitmentInfo = CommitmentInfo(purchase)
    }

    /// Ties it to a device (StoreKit, `deviceVerification`): SHA-384 over the nonce and the device's ID in lower case.
    mutating func tie(to device: UUID, nonce: UUID) {
        deviceVerificationNonce = nonce.text
        deviceVerification = Data(SHA384.hash(data: Data((nonce.text + device.text).utf8))).base64EncodedString()
    }
}

extension StoredPurchase {
    /// The kind of revocation; `nil` if there is none.
    fileprivate var revocationType: String? {
        guard transaction.revocation != nil else { return nil }
        if transaction.ownershipType == .familyShared { return "FAMILY_REVOKE" }
        if transaction.ownershipType == .assigned { return "ASSIGNMENT_REVOKE" }
        return revocationPercentage == nil ? "REFUND_FULL" : "REFUND_PRORATED"
    }
}
