import Foundation
import InAppPurchase
import Ledger

/// A product that can be given, as the value of a form's field.
struct GrantChoice: Hashable, Sendable {
    var scope: Scope
    var product: ProductID

    /// The products that give access, in the order of the catalog; in the sandbox after those in Production.
    ///
    /// - Parameter reach: the apps that are offered.
    static func all(_ catalog: Catalog, of reach: AdminReach) -> [GrantChoice] {
        [InAppPurchase.Environment.production, .sandbox].flatMap { environment in
            catalog.apps.filter { reach.includes($0.bundleID) }.flatMap { app in
                app.products.filter { $0.type != .consumable || !$0.bundles.isEmpty }.map {
                    GrantChoice(scope: Scope(app: app.bundleID, environment: environment), product: $0.id)
                }
            }
        }
    }

    var value: String {
        [scope.app.text, scope.environment.rawValue, product.text].map(\.pathEncoded).joined(separator: "/")
    }

    var text: String { "\(product) in \(scope.text)" }
}
