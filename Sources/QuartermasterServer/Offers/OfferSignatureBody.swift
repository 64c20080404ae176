/// The signature of an offer, for StoreKit.
struct OfferSignatureBody: Encodable {
    var kind: OfferSignatureRequestBody.Kind
    /// A JWS in compact serialization.
    var signature: String
}
