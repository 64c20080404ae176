import Foundation

/// What an account is entitled to by one product.
public struct ProductEntitlement: Hashable, Sendable {
    public var scope: Scope
    public var product: ProductID
    public var type: ProductType
    public var access: Access
    /// Those the product named at purchase and those it names now.
    public var bundles: [BundleName]
    /// Where access is denied: the bundles' versions that were published then stay open.
    public var kept: RetainedTimes

    public init(
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
