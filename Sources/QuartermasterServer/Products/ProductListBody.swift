import Foundation
import Hummingbird
import InAppPurchase
import NIOCore

/// The products that are on sale.
struct ProductListBody: Encodable {
    var revision: String
    var productIDs: [ProductID]
    fileprivate var products: [ProductBody]

    init(_ app: App, _ revision: String, for client: Availability.Client, at date: Date) {
        let offered = app.products.filter { $0.availability.includes(client, at: date) }
        self.revision = revision
        productIDs = offered.map(\.id)
        products = offered.map(ProductBody.init)
    }

    func encoded() throws -> ByteBuffer { try JSONCoding.encode(self) }
}

private struct ProductBody: Encodable {
    var id: ProductID
    var type: ProductType
    var bundles: [BundleName]
    var metadata: [String: JSONValue]

    init(_ product: Product) {
        id = product.id
        type = product.type
        bundles = product.bundles
        metadata = product.metadata
    }
}
