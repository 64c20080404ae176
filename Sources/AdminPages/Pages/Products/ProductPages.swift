import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import NIOFoundationCompat
import ServerCore
import ServerHTTP

/// The products of each app, and each product with its entry.
struct ProductPages: Sendable {
    private static let rows = 50
    private static let maximumWarnings = 20

    let catalog: CatalogServices

    func add(to pages: PageRouter) {
        pages.page("/admin/products", .products, about: .narrowed) { .page(try list($0)) }
        pages.page("/admin/products/{bundleID}/{id}", .products, about: .appInPath) { .page(try await product($0)) }
    }

    private func list(_ visit: Visit) throws -> PageContent {
        let reach = visit.administrator.reach
        let apps = catalog.live.current.catalog.apps.filter { reach.includes($0.bundleID) }
        let named = visit.query("app")
        guard let app = named.map({ name in apps.first { $0.bundleID.text == name } }) ?? apps.first else {
            guard named == nil else { throw Problem.unknownApp }
            return PageContent(
                "Products", notice: refusal(visit),
                [Block(text: "The catalog has no app.", links: newApp(visit) + history(visit))])
        }
        let from = try visit.request.number("from", in: 0...CatalogFile.maximumBytes) ?? 0
        let shown = app.products.dropFirst(from).prefix(Self.rows)
        let path = "/admin/products?app=\(app.bundleID.text.pathEncoded)"
        var links = from == 0 ? [] : [Link("The first ones", path)]
        if from + shown.count < app.products.count {
            links.append(Link("Further ones", "\(path)&from=\(from + shown.count)"))
        }
        let others = apps.filter { $0.bundleID != app.bundleID }.prefix(Self.rows)
            .map { Link("Products of \($0.bundleID)", "/admin/products?app=\($0.bundleID.text.pathEncoded)") }
        return PageContent(
            "Products", notice: refusal(visit),
            [
                Block(
                    "\(app.bundleID)", text: "\(app.products.count) products, in the order in which apps get them.",
                    table: Self.table(shown, of: app, visit), links: links + acts(app, visit)),
                Self.warnings(of: app, in: catalog.live.current),
                Block(links: others + newApp(visit) + history(visit)),
            ].compactMap { $0 })
    }

    private static func warnings(of app: App, in file: CatalogFile) -> Block? {
        let warnings = file.warnings[app.bundleID] ?? []
        let more = warnings.count - maximumWarnings
        let rest = more > 0 ? ["and \(more) more: quartermaster products check"] : []
        return Block.warnings(warnings.prefix(maximumWarnings).map(\.description) + rest)
    }

    /// Names the error for which a newer catalog is not served; `nil` if there is none. It may be about any app.
    private func refusal(_ visit: Visit) -> Notice? {
        guard let refusal = catalog.live.refusal else { return nil }
        let error = visit.administrator.reach == .everything ? ": \(refusal.error)" : "."
        return Notice(
            "Since \(visit.time(refusal.date).text) a newer catalog is refused, and this one served\(error)", .bad)
    }

    private static func table(_ products: some Collection<Product>, of app: App, _ visit: Visit) -> Table {
        Table(
            "In the catalog now", columns: ["Product", "Now", "Type", "Credits", "Bundles"],
            rows: products.map { product in
                [
                    product.cell(path: ShownProduct.path(app.bundleID, product.id)), product.saleCell(visit),
                    Cell(product.type.rawValue, note: product.group.map { "group \($0)" }), product.creditsCell,
                    product.bundlesCell,
                ]
            })
    }

    private func acts(_ app: App, _ visit: Visit) -> [Link] {
        let path = "/admin/apps/\(app.bundleID.text.pathEncoded)"
        let look = [
            Link("What an app is offered", "\(path)/preview"), Link("Settings", AppSettingsPages.path(app.bundleID)),
        ]
        return look + (visit.mayChange ? [Link("Add a product", "\(path)/new-product")] : [])
    }

    private func newApp(_ visit: Visit) -> [Link] {
        visit.mayChange && visit.administrator.reach == .everything ? [Link("Add an app", "/admin/new-app")] : []
    }

    private func history(_ visit: Visit) -> [Link] {
        catalog.history == nil || visit.administrator.reach != .everything
            ? [] : [Link("History of the catalog", "/admin/catalog")]
    }

    private func product(_ visit: Visit) async throws -> PageContent {
        let shown = try await ShownProduct(visit, in: catalog.live)
        let product = shown.product
        let terms = try JSONCoding.encode(product)
        let facts = [
            Fact("Product ID", .code(product.id.text)),
            Fact("App", .link(shown.app.bundleID.text, "/admin/products?app=\(shown.app.bundleID.text.pathEncoded)")),
            Fact("Now", product.saleCell(visit)), Fact("Type", Cell(product.type.rawValue)),
            Fact("Credits", product.creditsCell), Fact("Bundles", product.bundlesCell),
            Fact("Revision of the catalog", .code(shown.file.revision)),
        ]
        return PageContent(
            product.displayName ?? product.id.text, notice: ProductEditPages.notice(visit.query("done")),
            [
                Block(facts: facts, links: visit.mayChange ? Self.acts(shown, visit) : []),
                Block.warnings(product.warnings.map { "entry\($0)" }),
                Block("In the catalog", table: EntryDifference(catalog.editor, visit).table(of: shown.entry)),
                .json("Entry in the catalog", nil, shown.entry),
                .json(
                    "Terms",
                    "What a purchase made now is promised, with what the entry does not say. Purchases that were made "
                        + "keep theirs.", Data(buffer: terms)),
            ].compactMap { $0 })
    }

    private static func acts(_ shown: ShownProduct, _ visit: Visit) -> [Link] {
        let sale = shown.product.availability
        let isOver = sale.until.map { $0 <= visit.date } ?? false
        let hasBegun = sale.from.map { $0 < visit.date } ?? true
        return [
            Link("Change", "\(shown.path)/edit"), Link("Change as JSON", "\(shown.path)/edit?as=json"),
            isOver
                ? Link("Put on sale again", "\(shown.path)/on-sale")
                : hasBegun ? Link("Take off sale", "\(shown.path)/off-sale") : nil,
            Link("Remove", "\(shown.path)/remove"),
            shown.product.type == .autoRenewable
                ? Link(SubscriberExtensionPages.title, "\(shown.path)/extend") : nil,
        ].compactMap { $0 }
    }
}

extension Block {
    /// JSON for those who write it, shown when somebody opens it.
    static func json(_ heading: String, _ text: String?, _ json: Data) -> Block {
        Block(heading, text: text, fold: "Show the JSON", listing: json.entryLines)
    }

    /// The warnings of a catalog, one on a line; `nil` if there are none.
    static func warnings(_ warnings: [String]) -> Block? {
        warnings.isEmpty ? nil : Block("Probably not intended", listing: warnings.joined(separator: "\n"))
    }
}

extension Product {
    /// Whether everybody can buy it now, and if not, when.
    func saleCell(_ visit: Visit) -> Cell {
        let (from, until) = (availability.from, availability.until)
        if let from, visit.date < from {
            return .badge("Not yet", .waiting, note: "from \(visit.time(from).text), \(visit.time(from).distance)")
        }
        if let until, visit.date >= until { return .badge("Off sale", .plain, note: "since \(visit.time(until).text)") }
        let narrowed = [
            until.map { "until \(visit.time($0).text)" }, availability.minimumAppVersion.map { "from version \($0)" },
            availability.platforms.map { "on \($0.sorted().joined(separator: ", "))" },
            availability.storefronts.map { "in \($0.sorted().joined(separator: ", "))" },
        ].compactMap { $0 }
        return .badge("On sale", .good, note: narrowed.isEmpty ? nil : narrowed.joined(separator: ", "))
    }

    var creditsCell: Cell {
        Cell(credits.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    }

    var bundlesCell: Cell { .actions(bundles.map { Link($0.text, BundleServices.path($0)) }) }
}
