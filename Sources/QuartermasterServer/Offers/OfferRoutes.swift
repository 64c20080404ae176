import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger

/// Signs subscription offers for those who may use them: `POST /v1/apps/{bundleID}/offer-signatures`.
struct OfferRoutes: Sendable {
    /// The maximum length of an offer's ID in bytes; those of App Store Connect are shorter.
    static let maximumOfferBytes = 255

    let ledger: any Ledger
    let decisions: ServingContext
    let store: any Store

    func add(to router: RouterGroup<ServerContext>) {
        router.post("apps/{bundleID}/offer-signatures") { request, context in try await sign(request, context) }
    }

    private func sign(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await request.decodedBody(OfferSignatureRequestBody.self, context)
        let app = try context.pathPart("bundleID", as: BundleID.self)
        guard let scope = try decisions.scope(bundleID: app, environment: body.environment) else {
            throw Problem.unknownApp
        }
        let now = decisions.context
        guard let product = now.catalog.product(body.product, of: app), product.type == .autoRenewable else {
            throw Problem.unknownProduct
        }
        let offer = try await offer(body, product, of: try context.account, in: scope, now)
        guard let signature = try await store.signature(of: offer, by: app, at: now.date) else {
            throw Problem.noSigningKey
        }
        return try .json(OfferSignatureBody(kind: body.kind, signature: signature))
    }

    /// - Throws: 400 for a promotional offer without an ID, 403 if the account may not have the offer.
    private func offer(
        _ body: OfferSignatureRequestBody, _ product: Product, of account: AccountID, in scope: Scope,
        _ context: RecordingContext
    ) async throws -> SubscriptionOffer {
        let eligibility = try await ledger.offerEligibility(of: account, for: product, in: scope, context)
        switch body.kind {
        case .promotional:
            guard let offer = body.offer, (1...Self.maximumOfferBytes).contains(offer.utf8.count) else {
                throw Problem.invalidRequest("offer: the offer's ID, of 1 to \(Self.maximumOfferBytes) bytes.")
            }
            guard let subscription = eligibility.subscription else {
                throw Problem.notEligible("The account has never had a subscription of the product's group.")
            }
            return .promotional(offer: offer, product: product.id, subscription: subscription)
        case .introductoryEligibility:
            guard eligibility.mayUseIntroductoryOffer else {
                throw Problem.notEligible("The introductory offer of the product's group was used.")
            }
            guard let customer = eligibility.customer else {
                throw Problem.notEligible("Send a receipt first: a transaction, or the signed app transaction.")
            }
            return .introductory(product: product.id, customer: customer)
        }
    }
}

extension Problem {
    fileprivate static func notEligible(_ detail: String) -> Problem {
        Problem(.forbidden, "not_eligible", "The account may not have this offer", detail: detail)
    }

    fileprivate static let noSigningKey = Problem(
        .notImplemented, "no_signing_key", "The app has no key to sign offers with")
}
