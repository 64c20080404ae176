package import Content
package import Foundation
import InAppPurchase
package import Logging

extension Catalog {
    /// Warns of settings that are allowed and probably not intended.
    package func warn(_ logger: Logger) {
        for app in apps where app.sandbox == .nobody {
            logger.warning(
                "nobody is entitled by sandbox purchases; App Review buys in the sandbox, so set \"sandbox\" for it",
                metadata: ["app": "\(app.bundleID)"])
        }
        warnOfPlacements(logger)
    }

    /// Warns of placements that name products which the app does not have; these are not offered.
    func warnOfPlacements(_ logger: Logger) {
        for error in unknownPlacementProducts {
            logger.warning("a placement names an unknown product", metadata: ["mistake": "\(error)"])
        }
    }

    /// The places at which a placement names a product that the app does not have. They are allowed, so that a product
    /// can be removed from the catalog.
    package var unknownPlacementProducts: [CatalogError] {
        apps.enumerated().flatMap { index, app in
            app.listing.placements.sorted { $0.key < $1.key }.flatMap { name, placement in
                let unknown = Set(placement.variants.flatMap(\.products)).filter { app.product($0) == nil }
                return unknown.sorted().map {
                    CatalogError("apps[\(index)].placements.\(name): there is no product \"\($0)\"")
                }
            }
        }
    }
}

extension Settings {
    /// - Parameter clock: returns the true time, which links to an object store are signed with.
    /// - Throws: ``CommandError`` that names the error in the folder or the bucket.
    package func openContent(at date: Date, clock: @escaping @Sendable () -> Date) async throws -> any ContentRepository
    {
        do {
            return try await contentPlace(clock: clock).open(isWatched: watchContent, at: date, clock: clock)
        } catch {
            throw CommandError("content: \(error)")
        }
    }
}
