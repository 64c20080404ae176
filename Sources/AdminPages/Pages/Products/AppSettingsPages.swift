import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOPosix
import ServerCore
import ServerHTTP

/// The settings of an app: shows them, changes them after a review of the difference, and adds and removes apps.
struct AppSettingsPages: Sendable {
    let catalog: CatalogServices

    static func path(_ app: BundleID) -> String { "/admin/apps/\(app.text.pathEncoded)/settings" }

    func add(to pages: PageRouter) {
        let path = "/admin/apps/{bundleID}/settings"
        pages.page(path, .products, about: .appInPath) { .page(try await settings($0)) }
        pages.formPage(path + "/edit", .products, about: .appInPath) { visit in
            let (file, entry) = try await shown(visit)
            return .page(try AppForm(of: visit.app, entry, file, visit, catalog.editor).content())
        }
        pages.act(path + "/edit", .products, about: .appInPath) { visit, form in
            .page(try await AppForm(visit, form, catalog, app: visit.app).review(visit, catalog))
        }
        pages.act(path + "/save", .products, about: .appInPath) { visit, form in try await save(visit, form)
        }
        pages.formPage(path + "/remove", .products, about: .appInPath) { .page(try await removal($0)) }
        pages.act(path + "/remove", .products, about: .appInPath) { visit, form in
            try await remove(visit, form)
        }
        pages.formPage("/admin/new-app", .products) { visit in
            return .page(try AppForm(new: visit, catalog.editor).content())
        }
        pages.act("/admin/new-app", .products) { visit, form in
            .page(try await AppForm(visit, form, catalog, app: nil).review(visit, catalog))
        }
    }

    /// The catalog, and the settings of the app that the path names.
    ///
    /// - Throws: 404 if there is no such app; ``/ServerCore/CatalogRefusal`` for a catalog that cannot be edited.
    func shown(_ visit: Visit) async throws -> (file: CatalogFile, entry: Data) {
        let (file, app) = (catalog.live.current, try visit.app)
        guard let index = file.catalog.apps.firstIndex(where: { $0.bundleID == app }) else { throw Problem.unknownApp }
        let entry = try await NIOThreadPool.singleton.runIfActive { file.text?.settingsEntry(ofApp: index) }
        guard let entry else { throw CatalogRefusal.invalidCatalog("the file is not in UTF-8") }
        return (file, entry)
    }

    private func settings(_ visit: Visit) async throws -> PageContent {
        let (file, entry) = try await shown(visit)
        let app = try visit.app
        let texts = ["saved": "The settings were changed.", "added": "The app was added."]
        let links = [
            Link("Change", Self.path(app) + "/edit"), Link("Change as JSON", Self.path(app) + "/edit?as=json"),
            Link("Remove", Self.path(app) + "/remove"),
        ]
        return PageContent(
            "Settings of an app", notice: visit.query("done").flatMap { texts[$0] }.map { Notice($0, .good) },
            [
                Block(
                    facts: [
                        Fact("App", .link(app.text, "/admin/products?app=\(app.text.pathEncoded)")),
                        Fact("Products", Cell("\(file.catalog.app(app)?.products.count ?? 0)")),
                        Fact("Revision of the catalog", .code(file.revision)),
                    ], links: visit.mayChange ? links : []),
                Block("In the catalog", table: EntryDifference(catalog.editor, visit).table(of: entry)),
                .json("Entry in the catalog, without the products", nil, entry),
            ])
    }

    private func save(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let draft = AppDraft(
            app: try visit.app, entry: try form.entry("entry"), base: try form.entry("base"),
            revision: form["revision"])
        do {
            let change = try await catalog.editor.apply(
                draft.edit, by: visit.administrator, reason: EditReason.filled(in: form), at: visit.date)
            return .redirect("\(Self.path(change.app))?done=\(change.outcome == .added ? "added" : "saved")")
        } catch CatalogRefusal.preconditionFailed {
            return .page(try await EntryReview(catalog: catalog, visit: visit).conflict(draft, form["reason"]))
        }
    }

    // MARK: Removal

    private func removal(_ visit: Visit, notice: Notice? = nil) async throws -> PageContent {
        let (file, entry) = try await shown(visit)
        let (app, back) = (try visit.app, Link("Back without changes", Self.path(try visit.app)))
        do {
            _ = try await catalog.editor.check(AppEdit(app: app, act: .remove), by: visit.administrator)
        } catch CatalogRefusal.appInUse(let reason) {
            var page = Self.inUse(app, file.catalog.app(app)?.products.count ?? 0, reason, back)
            if notice != nil { page.status = .preconditionFailed }
            return page
        }
        return PageContent(
            "Remove an app", notice: notice, status: notice == nil ? .ok : .preconditionFailed,
            [
                Block(
                    text: "It has no products and no recorded purchases. Its settings are deleted.",
                    facts: [Fact("App", Cell(app.text))],
                    table: EntryDifference(catalog.editor, visit).table(from: entry, to: nil)),
                Block(
                    form: .act(
                        "\(Self.path(app))/remove", csrf: visit.csrf, hidden: [("revision", file.revision)],
                        [EditReason.field()], button: "Remove", isDangerous: true),
                    links: [back]),
            ])
    }

    /// The page about an app that cannot be removed, with what to do first.
    private static func inUse(_ app: BundleID, _ products: Int, _ reason: String, _ back: Link) -> PageContent {
        PageContent(
            "Remove an app", notice: Notice("It cannot be removed now. \(reason)", .waiting),
            [
                Block(
                    text: products == 0
                        ? "An app with purchases stays in the catalog, so that what players bought stays theirs."
                        : "Open each product and remove it. A product that was sold is better taken off sale: then the "
                            + "app stays too.",
                    facts: [Fact("App", Cell(app.text)), Fact("Products", Cell("\(products)"))],
                    links: [Link("Products of the app", "/admin/products?app=\(app.text.pathEncoded)"), back])
            ])
    }

    private func remove(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let revision = form["revision"]
        let edit = AppEdit(app: try visit.app, act: .remove) { $0 && $1 == revision }
        do {
            _ = try await catalog.editor.apply(
                edit, by: visit.administrator, reason: EditReason.filled(in: form), at: visit.date)
            return .redirect("/admin/products")
        } catch CatalogRefusal.preconditionFailed {
            return .page(
                try await removal(visit, notice: Notice("The catalog was changed meanwhile. Look again.", .waiting)))
        }
    }
}
