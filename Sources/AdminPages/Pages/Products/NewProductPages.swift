import Foundation
import Hummingbird
import InAppPurchase
import ServerCore
import ServerHTTP

/// Adds a product: its type decides what can be filled in.
struct NewProductPages: Sendable {
    let catalog: CatalogServices

    func add(to pages: PageRouter) {
        pages.formPage("/admin/apps/{bundleID}/new-product", .products, about: .appInPath) { .page(try form($0)) }
        pages.act("/admin/apps/{bundleID}/new-product", .products, about: .appInPath) { visit, form in
            let entry = try EntryForm(visit, form, catalog.editor, product: nil)
            return .page(try await EntryReview(catalog: catalog, visit: visit).content(of: entry))
        }
    }

    private func form(_ visit: Visit) throws -> PageContent {
        let app = try visit.app
        guard catalog.live.current.catalog.app(app) != nil else { throw Problem.unknownApp }
        let types = catalog.editor.handlers.map { $0.productType.rawValue }
        if let type = visit.query("type"), types.contains(type) {
            return try EntryForm(newOf: ProductType(rawValue: type), in: app, visit, catalog.editor).content()
        }
        let path = "/admin/apps/\(app.text.pathEncoded)/new-product"
        return PageContent(
            "Add a product",
            [
                Block(
                    facts: [Fact("App", Cell(app.text))],
                    form: .query(
                        path,
                        [
                            .input(
                                "Product", name: "id", value: visit.query("id") ?? "",
                                hint: "Its ID in App Store Connect; it may be filled in later.", isRequired: false),
                            .choice("Type", name: "type", types.map { ($0, $0) }, hint: "As in App Store Connect."),
                        ], button: "Go on"),
                    links: [
                        Link("Write the entry as JSON", "\(path)?type=\(types.first?.pathEncoded ?? "")&as=json"),
                        Link("Back without changes", "/admin/products?app=\(app.text.pathEncoded)"),
                    ])
            ])
    }
}
