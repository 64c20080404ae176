import Foundation

extension Quartermaster {
    /// Has the server sign a promotional offer of a subscription, for one purchase of this account.
    ///
    /// - Returns: a JWS, for `Product.PurchaseOption.promotionalOffer(_:compactJWS:)`.
    /// - Throws: ``ServerProblem`` with `not_eligible` if the account may not have it, `unknown_offer` if the server's
    ///   catalog does not name it; ``NoAccount`` before there is one.
    public func signOffer(_ offer: String, of product: String) async throws -> String {
        try await signOffer(OfferRequest(product: product, offer: offer, kind: "promotional"))
    }

    /// Has the server sign that the customer may have the introductory offer of a subscription, for one purchase.
    ///
    /// - Returns: a JWS, for `Product.PurchaseOption.introductoryOfferEligibility(compactJWS:)`.
    /// - Throws: ``ServerProblem`` with `not_eligible` if the customer may not have it; ``NoAccount`` before there is
    ///   an account.
    public func signIntroductoryOffer(of product: String) async throws -> String {
        if let shown = await source.appTransaction() {
            let receipt = ReceiptRequest(receipt: shown, bundleID: configuration.bundleID, mayTransfer: false)
            _ = try? await session.send(APIRequest(.post, "v1", "receipts").json(receipt))
        }
        return try await signOffer(OfferRequest(product: product, offer: nil, kind: "introductoryEligibility"))
    }

    private func signOffer(_ offer: OfferRequest) async throws -> String {
        var offer = offer
        offer.environment = await environment.value()
        let path = APIRequest(.post, "v1", "apps", configuration.bundleID, "offer-signatures")
        let answer = try await session.send(path.json(offer))
        return try JSONDecoder().decode(OfferSignature.self, from: answer.body).signature
    }
}

private struct OfferRequest: Encodable {
    let product: String
    let offer: String?
    let kind: String
    var environment: StoreEnvironment?
}

private struct OfferSignature: Decodable {
    let signature: String
}
