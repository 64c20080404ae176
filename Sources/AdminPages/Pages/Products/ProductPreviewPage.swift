import Foundation
import Hummingbird
import InAppPurchase
import ServerCore

/// The products that an app would be offered: by its version, storefront and platform, at any time.
struct ProductPreviewPage: Sendable {
    private static let maximumShown = 500

    let catalog: CatalogServices

    func add(to pages: PageRouter) {
        pages.page("/admin/apps/{bundleID}/preview", .products, about: .appInPath) { .page(try await content($0)) }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let app = try visit.app
        let asked = visit.query("at")
        let date = try asked.flatMap { Date(formTime: $0) } ?? PreviewRoutes.date(asked) ?? visit.date
        let query = try ProductListQuery { visit.query($0) }
        let list = try await catalog.lists.preview(app, for: query, at: date)
        let path = "/admin/apps/\(app.text.pathEncoded)/preview"
        let facts = [
            Fact("At", .time(visit.time(date).moment)), Fact("Products", Cell("\(list.products.count)")),
            list.notice.map { Fact("Notice", Cell($0)) },
            list.minimumAppVersion.map { Fact("Lowest app version", Cell($0)) },
            list.openBundles.map { Fact("Bundles for everybody", Cell($0.map(\.text).joined(separator: ", "))) },
        ].compactMap { $0 }
        return PageContent(
            "What an app is offered",
            [
                Block(
                    "\(app)",
                    form: .query(path, try fields(visit, of: app), button: "Show"),
                    links: [Link("Products of the app", "/admin/products?app=\(app.text.pathEncoded)")]),
                Block("Offer", facts: facts, table: table(list, of: app)),
            ])
    }

    private func fields(_ visit: Visit, of app: BundleID) throws -> [Field] {
        let placements = catalog.live.current.catalog.app(app)?.listing.placements.keys.sorted() ?? []
        func input(_ label: String, _ name: String, _ hint: String) -> Field {
            .input(label, name: name, value: visit.query(name) ?? "", hint: hint, isRequired: false)
        }
        let placement = Field.choice(
            "Placement", name: "placement", [("", "none")] + placements.map { ($0, $0) },
            selected: visit.query("placement"))
        return [
            input("App version", "appVersion", "Such as 1.10."), input("Platform", "platform", "Such as ios."),
            input("Storefront", "storefront", "Such as DEU."), input("Bucket", "bucket", "From 0 to 99."),
            .time(
                "Time", name: "at", value: visit.query("at").flatMap { Date(formTime: $0) }?.formTime ?? "",
                hint: "In UTC. Empty for now."),
        ] + (placements.isEmpty ? [] : [placement])
    }

    private func table(_ list: ProductListBody, of app: BundleID) -> Table {
        let known = catalog.live.current.catalog.app(app)
        let maximum = Self.maximumShown
        return Table(
            list.products.count > maximum ? "The first \(maximum), in order" : "In order",
            columns: ["Product", "Type", "Bundles"],
            rows: list.products.prefix(maximum).map { product in
                let contents = (product.contents ?? []).map { "\($0.bundle) \($0.version), \($0.size.sizeText)" }
                let path = ShownProduct.path(app, product.id)
                return [
                    known?.product(product.id)?.cell(path: path) ?? .link(product.id.text, path),
                    Cell(product.type.rawValue),
                    Cell(contents.joined(separator: "; ")),
                ]
            }, empty: "Nothing.")
    }
}
