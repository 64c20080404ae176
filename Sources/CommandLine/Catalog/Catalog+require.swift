import InAppPurchase
import ServerCore
import ServerHTTP

extension Catalog {
    /// The most names in an error.
    private static let maximumNames = 5

    /// - Throws: ``/ServerCore/CommandError`` that names the app and those that there are.
    func require(_ app: BundleID) throws(CommandError) {
        guard self.app(app) == nil else { return }
        throw Self.unknown("app", app.text, among: apps.map(\.bundleID.text), in: "the catalog")
    }

    /// - Throws: ``/ServerCore/CommandError`` that names the product and the nearest, or those that there are.
    func require(_ product: ProductID, of app: BundleID) throws(CommandError) {
        try require(app)
        guard self.product(product, of: app) == nil else { return }
        throw Self.unknown(
            "product", product.text, among: self.app(app)?.products.map(\.id.text) ?? [], in: app.text)
    }

    private static func unknown(_ kind: String, _ name: String, among names: [String], in place: String) -> CommandError
    {
        let shown = names.prefix(maximumNames) + (names.count > maximumNames ? ["…"] : [])
        let others =
            name.nearest(in: names).map { "did you mean \($0)?" }
            ?? (names.isEmpty ? "\(place) has none" : "\(place) has \(shown.joined(separator: ", "))")
        return CommandError("Unknown \(kind) \(name.withoutControlCharacters); \(others)")
    }
}
