package import InAppPurchase

/// A bundle that the catalog names and that is not published: no server starts with it.
package struct MissingBundle: Sendable {
    package var bundle: BundleName
    /// The product with the bundle, or the app that opens it to everybody.
    package var owner: String
    /// The place in the catalog.
    var place: String

    package var error: CatalogError { CatalogError("\(place): there is no bundle \"\(bundle)\"") }
}

extension Catalog {
    /// The bundles that the catalog names and that are not published.
    package func missingBundles(among published: [BundleName]) -> [MissingBundle] {
        let published = Set(published)
        func missing(_ bundles: [BundleName], of owner: String, at path: String) -> [MissingBundle] {
            bundles.enumerated().filter { !published.contains($0.element) }
                .map { MissingBundle(bundle: $0.element, owner: owner, place: "\(path)[\($0.offset)]") }
        }
        return apps.enumerated().flatMap { index, app in
            missing(app.openBundles, of: "\(app.bundleID)", at: "apps[\(index)].openBundles")
                + app.products.enumerated().flatMap { position, product in
                    missing(
                        product.bundles, of: "\(product.id)", at: "apps[\(index)].products[\(position)].bundles")
                }
        }
    }
}
