package import Content
package import Foundation
package import InAppPurchase

extension Catalog {
    /// The settings that are allowed and probably not intended.
    package var setup: [SetupItem] {
        let closed = apps.filter { $0.sandbox == .nobody }.map { app in
            SetupItem(
                .sandboxNobody, of: app.bundleID,
                "nobody is entitled by sandbox purchases; App Review buys in the sandbox, so set \"sandbox\" for it",
                remedy: "Set the app's sandbox to testers, and make the reviewer's account a tester.")
        }
        return closed + placementMistakes
    }

    /// The placements that name products which the app does not have; these are not offered.
    var placementMistakes: [SetupItem] {
        apps.enumerated().flatMap { number, app in
            app.unknownPlacementProducts(at: "apps[\(number)]").map { error in
                SetupItem(
                    .unknownPlacementProduct, "a placement names an unknown product", mistake: "\(error)",
                    remedy: "Add the product, or take it out of the placement.")
            }
        }
    }

    /// The entries of each app that are allowed and probably not intended, by their places.
    package var warnings: [BundleID: [CatalogError]] {
        apps.enumerated().reduce(into: [:]) { $0[$1.element.bundleID] = $1.element.warnings(at: "apps[\($1.offset)]") }
    }
}

extension App {
    fileprivate func warnings(at path: String) -> [CatalogError] {
        products.enumerated().flatMap { index, product in
            product.warnings.map { CatalogError("\(path).products[\(index)]\($0)") }
        } + unknownPlacementProducts(at: path)
    }

    /// The places at which a placement names a product that the app does not have. They are allowed, so that a product
    /// can be removed from the catalog.
    fileprivate func unknownPlacementProducts(at path: String) -> [CatalogError] {
        listing.placements.sorted { $0.key < $1.key }.flatMap { name, placement in
            let unknown = Set(placement.variants.flatMap(\.products)).filter { product($0) == nil }
            return unknown.sorted().map { CatalogError("\(path).placements.\(name): there is no product \"\($0)\"") }
        }
    }
}

extension Product {
    /// The mistakes that are allowed, since they may be intended, each with its member, as in `.id: …`. Other types
    /// than consumables give access, for which an app may need no bundle.
    package var warnings: [String] {
        let hasSpace = id.text.contains(where: \.isWhitespace)
        let givesNothing = type == .consumable && credits.isEmpty && bundles.isEmpty
        return [
            hasSpace ? ".id: \"\(id)\" has a space, which App Store Connect does not accept" : nil,
            givesNothing ? ": a consumable without credits and bundles gives nothing" : nil,
        ].compactMap { $0 }
    }
}

extension Settings {
    /// - Parameters:
    ///   - published: what earlier servers published from folders made by hand.
    ///   - clock: returns the true time, which links to an object store are signed with.
    /// - Throws: ``CommandError`` that names the error in the folder or the bucket.
    package func openContent(
        published: [Manifest] = [], at date: Date, clock: @escaping @Sendable () -> Date
    ) async throws -> any ContentRepository {
        do {
            return try await contentPlace(clock: clock)
                .open(isWatched: watchContent, published: published, at: date, clock: clock)
        } catch {
            throw CommandError("content: \(error)")
        }
    }
}
