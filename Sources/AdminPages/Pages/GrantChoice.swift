import Foundation
import InAppPurchase
import Ledger
import ServerCore

/// A product that can be given, as the value of a form's field.
struct GrantChoice: Hashable, Sendable {
    /// The products that a browser suggests; any other is typed.
    static let maximumSuggestions = 200

    var scope: Scope
    var product: ProductID

    /// The first products in the catalog that give access, in Production.
    ///
    /// - Parameter reach: the apps that are offered.
    static func suggestions(_ catalog: Catalog, of reach: AdminReach) -> [GrantChoice] {
        let choices = catalog.apps.lazy.filter { reach.includes($0.bundleID) }.flatMap { app in
            app.products.lazy.filter(\.givesAccess).map {
                GrantChoice(scope: Scope(app: app.bundleID, environment: .production), product: $0.id)
            }
        }
        return Array(choices.prefix(maximumSuggestions))
    }

    init(scope: Scope, product: ProductID) {
        self.scope = scope
        self.product = product
    }

    /// Reads ``value``, or a product ID alone, which means Production if only one app has the product.
    ///
    /// - Parameter reach: the apps whose products can be named.
    /// - Returns: `nil` unless it names a product that gives access.
    init?(_ text: String, in catalog: Catalog, of reach: AdminReach) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(\.removingPercentEncoding)
        if parts.count == 3, let app = parts[0], let name = parts[1], let id = parts[2] {
            let environments = [InAppPurchase.Environment.production, .sandbox]
            guard let environment = environments.first(where: { $0.rawValue == name }) else { return nil }
            self.init(
                scope: Scope(app: BundleID(stored: app), environment: environment), product: ProductID(stored: id))
        } else {
            let product = ProductID(stored: text)
            let apps = catalog.apps.filter { reach.includes($0.bundleID) && $0.product(product) != nil }
            guard let app = apps.first, apps.count == 1 else { return nil }
            self.init(scope: Scope(app: app.bundleID, environment: .production), product: product)
        }
        guard reach.includes(scope.app), catalog.product(product, of: scope.app)?.givesAccess == true else {
            return nil
        }
    }

    var value: String {
        [scope.app.text, scope.environment.rawValue, product.text].map(\.pathEncoded).joined(separator: "/")
    }

    func text(_ catalog: Catalog) -> String { "\(catalog.words(product, of: scope.app)) in \(scope.text)" }
}

extension Product {
    /// Whether it gives more than credits.
    fileprivate var givesAccess: Bool { type != .consumable || !bundles.isEmpty }
}
