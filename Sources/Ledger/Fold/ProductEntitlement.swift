package import Foundation
package import InAppPurchase

/// The entitlement of an account to one product.
package struct ProductEntitlement: Hashable, Sendable {
    package var scope: Scope
    package var product: ProductID
    package var type: ProductType
    /// The product's group in the catalog, or, if it was removed from there, that of its purchases.
    package var group: String?
    /// The rank in the group, as the catalog has it now.
    package var level: Int?
    package var access: Access
    /// The bundles that the product named at purchase and those it names now.
    package var bundles: [BundleName]
    /// The times whose published versions of the bundles stay accessible although access is denied; empty if it is
    /// granted.
    package var retained = RetainedTimes()
    /// The newest purchase of the product; `nil` if the account owns none.
    package var purchase: PurchaseFacts?
    /// The state of an auto-renewable subscription.
    package var subscription: SubscriptionStatus?
    /// The runs of non-renewing time, newest last, at most ``maximumRuns``.
    package var runs: [DateInterval] = []
    /// Whether ``access`` is what an administrator gave, since it ends later than what purchases give.
    package var isGivenBySupport = false
    /// The access by purchases alone, if there are any and ``access`` is not by them.
    package var accessByPurchases: Access?

    /// The maximum number of ``runs``.
    package static let maximumRuns = Entitlement.maximumRuns
}

extension ProductEntitlement {
    var subject: Subject { Subject(scope: scope, product: product) }

    var order: (BundleID, String, ProductID) { (scope.app, scope.environment.rawValue, product) }
}

/// The purchase that an entitlement is by: the newest of the product that the account owns.
package struct PurchaseFacts: Hashable, Sendable {
    /// The date of the purchase, or of a subscription's newest renewal. A restored copy counts as what it restores.
    package var date: Date
    package var ownershipType: Transaction.OwnershipType

    init(_ transaction: Transaction) {
        date =
            transaction.isRestoredCopy
            ? transaction.originalPurchaseDate ?? transaction.purchaseDate : transaction.purchaseDate
        ownershipType = transaction.ownershipType
    }
}
