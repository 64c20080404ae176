import Foundation
import InAppPurchase

/// The catalog in the file `products.json`.
struct FileCatalog: CatalogSource {
    let path: String

    var name: String { path }
    var isEditedByHand: Bool { true }

    func text() async throws -> Data { try CatalogFile.read(path) }

    func file(
        otherThan served: CatalogFile?, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile? {
        let bytes = try CatalogFile.read(path)
        guard CatalogFile.revision(of: bytes) != served?.revision else { return nil }
        return try CatalogFile(bytes, bundles: bundles, handlers: handlers)
    }
}
