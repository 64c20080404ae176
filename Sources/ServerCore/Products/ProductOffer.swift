import Foundation
import HTTPTypes
import InAppPurchase
import ServerHTTP

/// The products that a client is offered, in the order of the offer.
package struct ProductOffer: Sendable {
    /// The indices of the products in the app's.
    let indices: [Int]
    /// The placement that was asked for, with the metadata of its variant for the client.
    let placement: (name: String, metadata: [String: JSONValue])?

    /// - Throws: 404 if the app has no such placement.
    init(_ app: App, for query: ProductListQuery, at date: Date) throws {
        let products = app.products
        func isOffered(_ index: Int) -> Bool { products[index].availability.includes(query.client, at: date) }
        guard let name = query.placement else {
            indices = products.indices.filter(isOffered)
            placement = nil
            return
        }
        guard let found = app.listing.placements[name] else { throw Problem.unknownPlacement }
        let variant = found.variant(for: query.client, bucket: query.bucket, at: date)
        indices = (variant?.products ?? []).compactMap(app.index).filter(isOffered)
        placement = (name, variant?.metadata ?? [:])
    }
}

extension Problem {
    static let unknownPlacement = Problem(.notFound, "unknown_placement", "Unknown placement")
}
