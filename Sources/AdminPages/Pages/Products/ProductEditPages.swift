import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import ServerCore
import ServerHTTP

/// Changes a product: a form, the difference that it makes, and only then the change.
struct ProductEditPages: Sendable {
    let catalog: CatalogServices

    private static let path = "/admin/products/{bundleID}/{id}"

    func add(to pages: PageRouter) {
        pages.formPage("\(Self.path)/edit", .products, about: .appInPath) { visit in
            let shown = try await ShownProduct(visit, in: catalog.live)
            return .page(try EntryForm(of: shown, visit, catalog.editor).content())
        }
        pages.act("\(Self.path)/edit", .products, about: .appInPath) { visit, form in
            .page(try await difference(visit, form))
        }
        pages.act("\(Self.path)/save", .products, about: .appInPath) { visit, form in try await save(visit, form) }
        for act in [SaleAct.end, .resume] {
            pages.formPage("\(Self.path)/\(act.rawValue)", .products, about: .appInPath) { visit in
                return .page(try await sale(act, visit))
            }
        }
        pages.formPage("\(Self.path)/remove", .products, about: .appInPath) { .page(try await removal($0)) }
        pages.act("\(Self.path)/remove", .products, about: .appInPath) { visit, form in try await remove(visit, form) }
    }

    /// The notice on a product's page after an act; `nil` for an unknown name.
    static func notice(_ done: String?) -> Notice? {
        let texts = ["added": "The product was added.", "saved": "The product was changed."]
        return done.flatMap { texts[$0] }.map { Notice($0, .good) }
    }

    private func difference(_ visit: Visit, _ form: FormBody) async throws -> PageContent {
        let entry = try EntryForm(visit, form, catalog.editor, product: visit.product)
        return try await EntryReview(catalog: catalog, visit: visit).content(of: entry)
    }

    private func save(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let draft = EntryDraft(
            app: try visit.app, product: try visit.product, entry: try form.entry("entry"),
            base: try form.entry("base"), revision: form["revision"])
        do {
            let change = try await catalog.editor.apply(
                draft.edit, by: visit.administrator, reason: EditReason.filled(in: form), at: visit.date)
            let done = change.outcome == .added ? "added" : "saved"
            return .redirect("\(ShownProduct.path(change.app, change.product))?done=\(done)")
        } catch CatalogRefusal.preconditionFailed {
            return .page(try await EntryReview(catalog: catalog, visit: visit).conflict(draft, form["reason"]))
        }
    }

    // MARK: Sale

    /// A change of a sale without a form; the raw value is the last part of the path.
    private enum SaleAct: String {
        case end = "off-sale"
        case resume = "on-sale"
    }

    private func sale(_ act: SaleAct, _ visit: Visit) async throws -> PageContent {
        let shown = try await ShownProduct(visit, in: catalog.live)
        var members = try EntryMembers(shown.entry)
        members.set("availableUntil", to: act == .end ? TimeFormat.wholeSeconds.text(of: visit.date).jsonText : nil)
        let draft = EntryDraft(
            app: shown.app.bundleID, product: shown.product.id, entry: members.json, base: shown.entry,
            revision: shown.file.revision)
        return try await EntryReview(catalog: catalog, visit: visit).content(
            of: draft, title: act == .end ? "Take off sale" : "Put on sale again",
            text: act == .end
                ? "Apps are no longer offered it. Whoever has it keeps it, and a purchase on its way is delivered."
                : "It is offered to apps again.")
    }

    // MARK: Removal

    private func removal(_ visit: Visit, notice: Notice? = nil) async throws -> PageContent {
        let shown = try await ShownProduct(visit, in: catalog.live)
        return PageContent(
            "Remove a product", notice: notice, status: notice == nil ? .ok : .preconditionFailed,
            [
                Block(
                    text: "Apps are no longer offered it. Whoever has it keeps it. A purchase that comes afterwards is "
                        + "delivered only when the product is back; take it off sale first.",
                    facts: [Fact("Product", shown.product.cell()), Fact("App", Cell(shown.app.bundleID.text))],
                    table: EntryDifference(catalog.editor, visit).table(from: shown.entry, to: nil)),
                Block(
                    form: .act(
                        "\(shown.path)/remove", csrf: visit.csrf, hidden: [("revision", shown.file.revision)],
                        [EditReason.field()], button: "Remove", isDangerous: true),
                    links: [Link("Back without changes", shown.path)]),
            ])
    }

    private func remove(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let (app, revision) = (try visit.app, form["revision"])
        let edit = CatalogEdit(app: app, product: try visit.product, act: .remove) { $0 && $1 == revision }
        do {
            _ = try await catalog.editor.apply(
                edit, by: visit.administrator, reason: EditReason.filled(in: form), at: visit.date)
            return .redirect("/admin/products?app=\(app.text.pathEncoded)")
        } catch CatalogRefusal.preconditionFailed {
            return .page(
                try await removal(visit, notice: Notice("The catalog was changed meanwhile. Look again.", .waiting)))
        }
    }
}

extension Visit {
    /// - Throws: 404 for a path that names none.
    var app: BundleID { get throws { try context.pathPart("bundleID", as: BundleID.self) } }

    /// - Throws: 404 for a path that names none.
    var product: ProductID { get throws { try context.pathPart("id", as: ProductID.self) } }
}

extension FormBody {
    /// An entry that a page gave out in a hidden field. It is encoded, since pages do not show every character.
    ///
    /// - Throws: 400 for what no page gave out.
    func entry(_ name: String) throws -> Data {
        guard let entry = Data(base64URL: self[name].utf8) else { throw Problem.invalidRequest("\(name): no entry") }
        return entry
    }
}
