import Basics
import Foundation
import InAppPurchase

/// The product information, in the key/value store: one value for each product.
struct ProductShelf: Sendable {
    let store: any KeyValueStore

    func set(_ products: [StoreProduct], of app: BundleID) async throws {
        var values: [String: Data] = [:]
        for product in products { values[Self.key(app) + Self.name(product.id)] = try JSONEncoder().encode(product) }
        try await store.set(values)
    }

    /// `nil` if there is no information about it.
    func product(_ id: ProductID, of app: BundleID) async throws -> StoreProduct? {
        try await store.value(forKey: Self.key(app) + Self.name(id))
            .map { try JSONDecoder().decode(StoreProduct.self, from: $0) }
    }

    /// All products of an app, by ID.
    func products(of app: BundleID) async throws -> [StoreProduct] {
        try await store.values(withPrefix: Self.key(app)).values
            .map { try JSONDecoder().decode(StoreProduct.self, from: $0) }.sorted { $0.id < $1.id }
    }

    private static func key(_ app: BundleID) -> String {
        "simulator/products/\(AppPlace(app: app, environment: .production).key)/"
    }

    private static func name(_ product: ProductID) -> String { Data(product.text.utf8).base64URL }
}
