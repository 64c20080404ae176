import InAppPurchase
import Ledger
import ServerCore

extension MissingProduct {
    /// The link to where the catalog is put right, with the App Store's type filled in if it is known.
    func remedy(in catalog: Catalog) -> Link { Link(remedying: product, of: app, type: type, in: catalog) }
}

extension Link {
    /// The link to the form of a product that was bought and is not given.
    ///
    /// - Parameter type: the App Store's; `nil` if it is not known.
    init(remedying product: ProductID, of app: BundleID, type: ProductType?, in catalog: Catalog) {
        let type = type?.rawValue.pathEncoded
        guard catalog.product(product, of: app) == nil else {
            let path = ShownProduct.path(app, product) + "/edit"
            self.init("Correct its type", path + (type.map { "?type=\($0)" } ?? ""))
            return
        }
        let path = "/admin/apps/\(app.text.pathEncoded)/new-product?id=\(product.text.pathEncoded)"
        self.init("Add this product", path + (type.map { "&type=\($0)" } ?? ""))
    }
}
