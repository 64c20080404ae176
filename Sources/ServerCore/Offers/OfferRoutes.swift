import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Signs subscription offers for those who may use them: `POST /v1/apps/{bundleID}/offer-signatures`.
struct OfferRoutes: RouteFeature {
    let ledger: any AccountLedger & ReceiptLedger
    let decisions: ServingContext
    let store: any Store

    func add(to groups: RouteGroups) {
        let sign = RouteFacts("signOffer", reads: .json(OfferSignatureRequestBody.self))
        groups.player.on(.post, "apps/{bundleID}/offer-signatures", sign) { try await self.sign($0, $1) }
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
            let offer = try product.offer(named: body.offer)
            let subscription = try eligibility.subscription(for: offer)
            return .promotional(offer: offer.id, product: product.id, subscription: subscription)
        case .introductoryEligibility:
            guard let customer = eligibility.customer else {
                throw Problem.notEligible(
                    "Send the signed app transaction, or a transaction: none was sent in the last 30 days.")
            }
            guard eligibility.mayUseIntroductoryOffer,
                try await storeLeavesIntroductoryOffer(of: product, to: customer, in: scope, context)
            else { throw Problem.notEligible("The introductory offer of the product's group was used.") }
            return .introductory(product: product.id, customer: customer)
        }
    }

    /// Whether the store knows no subscription of the customer that used the introductory offer. If it does not answer,
    /// the ledger alone decides.
    private func storeLeavesIntroductoryOffer(
        of product: Product, to customer: TransactionID, in scope: Scope, _ context: RecordingContext
    ) async throws -> Bool {
        let known = await store.subscriptions(of: customer, in: scope, within: Limits.offerQuestion, at: context.date)
        for latest in known {
            let beginning = Transaction.Key(app: latest.app, environment: latest.environment, id: latest.originalID)
            let knowsBeginning = try await ledger.contains(beginning)
            guard product.leavesIntroductoryOffer(latest, in: context.catalog, knowsBeginning: knowsBeginning) else {
                return false
            }
        }
        return true
    }
}

extension Product {
    /// The promotional offer with this ID that the catalog names.
    ///
    /// - Throws: 400 without an ID, 403 for one that the product does not name.
    fileprivate func offer(named id: String?) throws -> PromotionalOffer {
        guard let id, !id.isEmpty else { throw Problem.invalidRequest("offer: the offer's ID.") }
        guard let offer = offers.first(where: { $0.id == id }) else { throw Problem.unknownOffer }
        return offer
    }
}

extension OfferEligibility {
    /// The transaction that names the customer of a promotional offer.
    ///
    /// - Throws: 403 if the customer may not have it.
    fileprivate func subscription(for offer: PromotionalOffer) throws -> TransactionID {
        guard let subscription else {
            throw Problem.notEligible("The account has never had a subscription of the product's group.")
        }
        switch offer.audience {
        case .any: break
        case .lapsed: if isActive { throw Problem.notEligible("The subscription has not ended.") }
        case .active: if !isActive { throw Problem.notEligible("The subscription has ended.") }
        }
        guard !offer.once || !usedOffers.contains(offer.id) else {
            throw Problem.notEligible("The customer has had this offer.")
        }
        return subscription
    }
}

extension Problem {
    fileprivate static func notEligible(_ detail: String) -> Problem {
        Problem(.forbidden, "not_eligible", "The account may not have this offer", detail: detail)
    }

    fileprivate static let unknownOffer = Problem(
        .forbidden, "unknown_offer", "The product has no such offer",
        detail: "The product's entry in the catalog does not name an offer with this ID.")

    fileprivate static let noSigningKey = Problem(
        .notImplemented, "no_signing_key", "The app has no key to sign offers with")
}

/// The signature of an offer, for StoreKit.
struct OfferSignatureBody: Encodable {
    var kind: OfferSignatureRequestBody.Kind
    /// A JWS in compact serialization.
    var signature: String
}

/// The offer that an app wants signed for its player.
struct OfferSignatureRequestBody: JSONRequestBody {
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
