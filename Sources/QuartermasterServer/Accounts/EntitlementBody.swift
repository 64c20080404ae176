import Foundation
import InAppPurchase
import Ledger

/// An entitlement in the format of the HTTP API.
struct EntitlementBody: Encodable {
    var app: BundleID
    var product: ProductID
    var type: ProductType
    var environment: Environment
    var access: String
    var until: Date?
    var reason: DenialReason?
    var bundles: [BundleName]
    /// `true` if versions of the bundles stay accessible although access is denied; otherwise omitted.
    var keeps: Bool?

    init(_ entitlement: ProductEntitlement) {
        keeps = entitlement.kept.isEmpty ? nil : true
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
    }
}
