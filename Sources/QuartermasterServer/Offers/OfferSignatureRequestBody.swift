import InAppPurchase

/// The offer that an app wants signed for its player.
struct OfferSignatureRequestBody: RequestBody {
    enum Kind: String, Codable, Sendable {
        case promotional
        case introductoryEligibility
    }

    var product: ProductID
    /// Apple's ID of the promotional offer; not used for an introductory one, of which a product has one.
    var offer: String?
    var kind: Kind
    var environment: String?
}
