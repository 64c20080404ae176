import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import StrictJSON

/// Checks the signatures of offers as StoreKit and the App Store do when a customer buys.
struct OfferChecks: Sendable {
    private static let refusal = SimulatorProblem(
        status: .forbidden, code: "invalid_offer_signature",
        detail: "The signature is not of this offer for this customer, is too old, or was used.")

    var book: PurchaseBook
    var keys: APIKeys
    /// The present times of the simulator and of its callers, by one of which the app's server signs.
    var clocks: [@Sendable () -> Date]

    /// Checks the signature of the offer in a request, if it has one, and marks it as used.
    ///
    /// - Throws: ``SimulatorProblem`` if it does not allow the offer.
    func check(_ order: PurchaseRequest) async throws {
        guard let text = order.offerSignature else { return }
        let app = order.customer.app
        guard let offer = order.offer, let signature = SignedOffer(text), let nonce = signature.nonce,
            let key = try await keys.key(of: app),
            clocks.contains(where: { signature.isValid(for: offer, of: order.productID, in: app, by: key, at: $0()) }),
            try await isCustomer(order.customer, of: signature), try await use(nonce, in: app)
        else { throw Self.refusal }
    }

    /// Whether the transaction that the signature names is the customer's; without one it is anybody's.
    private func isCustomer(_ customer: Customer, of signature: SignedOffer) async throws -> Bool {
        guard let id = signature.transactionID, id != customer.appTransactionID else { return true }
        return try await book.purchase(TransactionID(stored: id))?.customer == customer
    }

    private func use(_ nonce: UUID, in app: BundleID) async throws -> Bool {
        let claim = Data(UUID().text.utf8)
        let place = AppPlace(app: app, environment: .production).key
        return try await book.store.establish(claim, forKey: "simulator/offer-nonces/\(place)/\(nonce.text)") == claim
    }
}

/// The offer that a request names: an `offer` object, or the members `offerType`, `offerIdentifier`,
/// `offerDiscountType`, `offerPeriod` and `offerSignature` beside the others.
struct OfferMembers: Decodable {
    private enum CodingKeys: CodingKey { case offer, offerSignature }

    /// `nil` if the request names none.
    var offer: Offer?
    /// The signature of the offer by the app's server; `nil` if the request has none.
    var signature: String?

    init(from decoder: any Decoder) throws {
        // A error in these is reported even where the object counts.
        let named = try Offer.named(by: decoder.container(keyedBy: Offer.CodingKeys.self))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.offer), try !members.decodeNil(forKey: .offer) else {
            offer = named
            signature = try members.decodeIfPresent(String.self, forKey: .offerSignature)
            return
        }
        let object = try members.nestedContainer(keyedBy: Offer.ObjectKeys.self, forKey: .offer)
        offer = try Offer(object: object)
        signature = try object.decodeIfPresent(String.self, forKey: .signature)
    }
}
