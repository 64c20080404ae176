import Foundation
import InAppPurchase

/// An entitlement as the wire contract has it.
struct EntitlementBody: Encodable {
    var app: BundleID
    var product: ProductID
    var type: ProductType
    var environment: Environment
    var access: String
    var until: Date?
    var reason: DenialReason?
    var bundles: [BundleName]
    /// True where versions of the bundles stay open although access is denied; else left out.
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
