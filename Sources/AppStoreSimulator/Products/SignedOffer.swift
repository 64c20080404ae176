import Foundation
import InAppPurchase

/// The signature of an offer, which the app's server made and the app passes to StoreKit with a purchase (Apple,
/// "Generating JWS to sign App Store requests").
struct SignedOffer {
    private struct Claims: Decodable {
        var iss: String
        var bid: String
        var aud: String
        var nonce: String
        var iat: Double
        var productId: String
        var offerIdentifier: String?
        var allowIntroductoryOffer: Bool?
        var transactionId: String?
    }

    /// The time for which an offer may be bought, in seconds (Apple, `timestamp` of a promotional offer's signature).
    static let lifetime = 86_400.0

    private var signed: SignedClaims<Claims>

    /// Decodes the signature; `nil` if it is none.
    init?(_ text: String) {
        guard let signed = SignedClaims<Claims>(text) else { return nil }
        self.signed = signed
    }

    /// The transaction of the customer that it names, or the customer's app transaction; `nil` for a new customer.
    var transactionID: String? { signed.claims.transactionId }

    /// The value that makes it valid once; `nil` if it is not as Apple asks for: a UUID in lower case.
    var nonce: UUID? {
        guard let nonce = UUID(uuidString: signed.claims.nonce), nonce.text == signed.claims.nonce else { return nil }
        return nonce
    }

    /// Whether `key` signed it for this offer of the product, and it is valid at `date`.
    func isValid(for offer: Offer, of product: ProductID, in app: BundleID, by key: APIKey, at date: Date) -> Bool {
        let (claims, age) = (signed.claims, date.timeIntervalSince1970 - signed.claims.iat)
        guard claims.iss == key.issuerID, claims.bid == app.text, claims.productId == product.text,
            -SignedClaimsLimits.leeway...Self.lifetime ~= age, isFor(offer)
        else { return false }
        return signed.isSigned(by: key)
    }

    private func isFor(_ offer: Offer) -> Bool {
        let claims = signed.claims
        return switch offer.type {
        case Offer.introductory: claims.aud == "introductory-offer-eligibility" && claims.allowIntroductoryOffer == true
        case Offer.promotional:
            claims.aud == "promotional-offer" && claims.offerIdentifier != nil
                && claims.offerIdentifier == offer.identifier
        default: false
        }
    }
}
