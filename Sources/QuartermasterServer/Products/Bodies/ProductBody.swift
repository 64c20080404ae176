import Content
import InAppPurchase

/// A product on sale, as apps get it.
struct ProductBody: Encodable {
    var id: ProductID
    var type: ProductType
    var bundles: [BundleName]
    /// The newest version of each bundle; omitted if there is none for the client.
    var contents: [ContentBody]?
    var metadata: [String: JSONValue]

    init(_ product: Product, _ newest: [BundleName: VersionRecord]) {
        id = product.id
        type = product.type
        bundles = product.bundles
        let contents = product.bundles.compactMap { newest[$0] }.map(ContentBody.init)
        self.contents = contents.isEmpty ? nil : contents
        metadata = product.metadata
    }
}
