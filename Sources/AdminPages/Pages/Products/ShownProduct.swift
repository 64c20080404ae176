import Foundation
import InAppPurchase
import NIOPosix
import ServerCore
import ServerHTTP

/// A product that a page is about, with its entry as it stands in the catalog.
struct ShownProduct: Sendable {
    let file: CatalogFile
    let app: App
    let product: Product
    let entry: Data

    /// The product that the path names.
    ///
    /// - Throws: 404 if there is no such product or app; ``/ServerCore/CatalogRefusal`` for a catalog that cannot be
    ///   edited.
    init(_ visit: Visit, in live: LiveCatalog) async throws {
        let (file, bundleID) = (live.current, try visit.context.pathPart("bundleID", as: BundleID.self))
        let id = try visit.context.pathPart("id", as: ProductID.self)
        guard let index = file.catalog.apps.firstIndex(where: { $0.bundleID == bundleID }) else {
            throw Problem.unknownApp
        }
        app = file.catalog.apps[index]
        guard let position = file.index(of: id, in: index), let product = app.product(id) else {
            throw Problem.unknownProduct
        }
        guard let entry = try await NIOThreadPool.singleton.runIfActive({ file.text?.entry(position) }) else {
            throw CatalogRefusal.invalidCatalog("the file is not in UTF-8")
        }
        self.file = file
        self.product = product
        self.entry = entry
    }

    var path: String { Self.path(app.bundleID, product.id) }

    static func path(_ app: BundleID, _ product: ProductID) -> String {
        "/admin/products/\(app.text.pathEncoded)/\(product.text.pathEncoded)"
    }
}
