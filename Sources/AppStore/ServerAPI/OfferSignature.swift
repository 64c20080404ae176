public import Foundation
public import InAppPurchase

/// The signature with which an app passes an offer to StoreKit: a JWS in compact serialization.
///
/// Source: Apple, "Generating JWS to sign App Store requests".
public struct OfferSignature: Hashable, Sendable {
    private struct Promotional: Encodable {
        var nonce: String
        var iss: String
        var bid: BundleID
        var aud = "promotional-offer"
        var iat: Int
        var productId: ProductID
        var offerIdentifier: String
        var transactionId: TransactionID
    }

    private struct IntroductoryEligibility: Encodable {
        var nonce: String
        var iss: String
        var bid: BundleID
        var aud = "introductory-offer-eligibility"
        var iat: Int
        var productId: ProductID
        var allowIntroductoryOffer = true
        var transactionId: TransactionID
    }

    /// The compact serialization.
    public let text: String

    /// Signs a promotional offer, for `Product.PurchaseOption.promotionalOffer`.
    ///
    /// - Parameters:
    ///   - transaction: a transaction of the customer; the signature is of no use to another one.
    ///   - nonce: a new one for each signature.
    /// - Throws: if there is no randomness for the signature.
    public init(
        promotionalOffer offer: String, of product: ProductID, customerWith transaction: TransactionID,
        by key: AppStoreServerKey, nonce: UUID, at now: Date
    ) throws {
        text = try key.jws(
            Promotional(
                nonce: nonce.text, iss: key.issuerID, bid: key.bundleID, iat: now.wholeSeconds, productId: product,
                offerIdentifier: offer, transactionId: transaction))
    }

    /// Signs that the customer is eligible for the introductory offer, for
    /// `Product.PurchaseOption.introductoryOfferEligibility`.
    ///
    /// - Parameters:
    ///   - customer: the ID of a transaction of the customer, or of the app transaction.
    ///   - nonce: a new one for each signature.
    /// - Throws: if there is no randomness for the signature.
    public init(
        introductoryOfferOf product: ProductID, customerWith customer: TransactionID, by key: AppStoreServerKey,
        nonce: UUID, at now: Date
    ) throws {
        text = try key.jws(
            IntroductoryEligibility(
                nonce: nonce.text, iss: key.issuerID, bid: key.bundleID, iat: now.wholeSeconds, productId: product,
                transactionId: customer))
    }
}

extension Date {
    /// The whole seconds since 1970; the nearest number if there are more than an integer has.
    fileprivate var wholeSeconds: Int { Int(exactly: timeIntervalSince1970.rounded(.down)) ?? .max }
}
