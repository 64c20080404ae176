import Foundation
import InAppPurchase
import Ledger

/// An entitlement in the format of the HTTP API.
package struct EntitlementBody: Codable {
    var app: BundleID
    var product: ProductID
    var type: ProductType
    /// The product's group; omitted if it has none.
    var group: String?
    /// Its rank in the group; omitted if it has none, or is no longer in the catalog.
    var level: Int?
    var environment: Environment
    var access: String
    var until: Date?
    var reason: DenialReason?
    var bundles: [BundleName]
    /// `true` if versions of the bundles stay accessible although access is denied; otherwise omitted.
    var keeps: Bool?
    /// When the product was bought, or a subscription last renewed.
    var purchasedAt: Date?
    var ownershipType: Transaction.OwnershipType?
    /// The basis of the access: `purchase`, or `administrator` if one gave it for longer than what was bought.
    var basis: String?
    var subscription: SubscriptionBody?
    /// The runs of a non-renewing subscription, newest last.
    var runs: [RunBody]?

    init(_ entitlement: ProductEntitlement) {
        group = entitlement.group
        level = entitlement.level
        keeps = entitlement.retained.isEmpty ? nil : true
        app = entitlement.scope.app
        environment = entitlement.scope.environment
        product = entitlement.product
        type = entitlement.type
        bundles = entitlement.bundles
        switch entitlement.access {
        case .granted(let end):
            access = "granted"
            until = end
        case .denied(let why):
            access = "denied"
            reason = why
        }
        purchasedAt = entitlement.purchase?.date
        ownershipType = entitlement.purchase?.ownershipType
        basis = entitlement.isGivenBySupport ? "administrator" : entitlement.purchase.map { _ in "purchase" }
        subscription = entitlement.subscription.map(SubscriptionBody.init)
        runs = entitlement.runs.isEmpty ? nil : entitlement.runs.map(RunBody.init)
    }
}

/// A run of a non-renewing subscription.
struct RunBody: Codable {
    var from: Date
    var until: Date

    init(_ run: DateInterval) {
        from = run.start
        until = run.end
    }
}
