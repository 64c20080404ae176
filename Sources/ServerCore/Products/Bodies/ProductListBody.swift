package import Content
import Foundation
package import InAppPurchase

/// The products that are on sale. Clients get the same from ``ProductTexts``, which makes it faster.
package struct ProductListBody: Encodable {
    package var revision: String
    var productIDs: [ProductID]
    package var products: [ProductBody]
    /// The credits that an account starts with; omitted if there are none.
    package var startingCredits: Credits?
    /// The bundles that every account may download; omitted if there are none.
    package var openBundles: [BundleName]?
    /// The newest version of each open bundle; omitted if there is none for the client.
    package var contents: [ContentBody]?
    /// The pages that the app links to.
    var legal: LegalLinks?
    /// A text for players.
    package var notice: String?
    /// The lowest app version that need not be updated.
    package var minimumAppVersion: String?
    /// The placement that was asked for.
    package var placement: PlacementBody?

    /// - Parameter contents: the newest version of each bundle for the client.
    package init(_ app: App, _ revision: String, _ offer: ProductOffer, contents: [BundleName: VersionRecord]) {
        self.revision = revision
        let offered = offer.indices.map { app.products[$0] }
        productIDs = offered.map(\.id)
        products = offered.map { ProductBody($0, contents) }
        placement = offer.placement.map { PlacementBody(name: $0.name, metadata: $0.metadata) }
        startingCredits = app.startingCredits.isEmpty ? nil : app.startingCredits
        openBundles = app.openBundles.isEmpty ? nil : app.openBundles
        self.contents = [ContentBody](of: app.openBundles, contents)
        legal = app.listing.legal
        notice = app.listing.notice
        minimumAppVersion = app.listing.minimumAppVersion
    }
}

/// A product on sale, as apps get it.
package struct ProductBody: Encodable {
    package var id: ProductID
    package var type: ProductType
    var bundles: [BundleName]
    /// The newest version of each bundle; omitted if there is none for the client.
    package var contents: [ContentBody]?
    /// The group, in which products replace one another.
    var group: String?
    /// The rank in the group, 1 being the highest.
    var level: Int?
    var metadata: [String: JSONValue]
    /// The names by language; omitted if the catalog has none.
    var name: [String: String]?

    init(_ product: Product, _ newest: [BundleName: VersionRecord]) {
        id = product.id
        type = product.type
        bundles = product.bundles
        contents = [ContentBody](of: product.bundles, newest)
        group = product.group
        level = product.level
        metadata = product.metadata
        name = product.names.isEmpty ? nil : product.names
    }
}

extension [ContentBody] {
    /// The newest versions of bundles; `nil` if there is none.
    fileprivate init?(of bundles: [BundleName], _ newest: [BundleName: VersionRecord]) {
        self = bundles.compactMap { newest[$0] }.map(ContentBody.init)
        if isEmpty { return nil }
    }
}

/// The placement that was asked for, as apps get it.
package struct PlacementBody: Encodable {
    var name: String
    var metadata: [String: JSONValue]
}
