import AppStore
import Foundation
import InAppPurchase
import Ledger

extension AppStoreServices {
    func subscriptions(
        of customer: TransactionID, in scope: Scope, within time: Duration, at now: Date
    ) async -> [Transaction] {
        guard scope.environment != .xcode, let key = await keys.key(for: scope.app) else { return [] }
        let call = api.asking(for: key, in: scope.environment, within: time, at: now)
        return (try? await call.subscriptions(of: customer).receipt.transactions) ?? []
    }

    func signature(of offer: SubscriptionOffer, by app: BundleID, at now: Date) async throws -> String? {
        guard let key = await keys.key(for: app) else { return nil }
        switch offer {
        case .promotional(let offer, let product, let subscription):
            return try OfferSignature(
                promotionalOffer: offer, of: product, customerWith: subscription, by: key, nonce: UUID(), at: now
            ).text
        case .introductory(let product, let customer):
            return try OfferSignature(
                introductoryOfferOf: product, customerWith: customer, by: key, nonce: UUID(), at: now
            ).text
        }
    }
}
