package import InAppPurchase
import Foundation

/// What an account is entitled to by one product.
package struct ProductEntitlement: Hashable, Sendable {
    package var scope: Scope
    package var product: ProductID
    package var type: ProductType
    package var access: Access
    /// Those the product named at purchase and those it names now.
    package var bundles: [BundleName]
    /// Where access is denied: the bundles' versions that were published then stay open.
    package var kept: RetainedTimes

    package init(
        scope: Scope, product: ProductID, type: ProductType, access: Access, bundles: [BundleName],
        kept: RetainedTimes = RetainedTimes()
    ) {
        self.scope = scope
        self.product = product
        self.type = type
        self.access = access
        self.bundles = bundles
        self.kept = kept
    }
}

extension ProductEntitlement {
    var order: (BundleID, String, ProductID) { (scope.app, scope.environment.rawValue, product) }
}
