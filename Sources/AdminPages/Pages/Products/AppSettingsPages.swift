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
            .page(try await AppForm(visit, form, catalog.editor, app: visit.app).review(visit, catalog))
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
            .page(try await AppForm(visit, form, catalog.editor, app: nil).review(visit, catalog))
        }
    }

    /// The catalog, and the settings of the app that the path names.
    ///
    /// - Throws: 404 if there is no such app; ``/ServerCore/CatalogRefusal`` for a catalog that cannot be edited.
    private func shown(_ visit: Visit) async throws -> (file: CatalogFile, entry: Data) {
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
                Block("Entry in the catalog, without the products", listing: entry.entryLines),
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
        let path = Self.path(try visit.app)
        return PageContent(
            "Remove an app", notice: notice, status: notice == nil ? .ok : .preconditionFailed,
            [
                Block(
                    text: "It must have no products and no recorded purchases.",
                    difference: DifferenceLine.lines(from: entry, to: nil)),
                Block(
                    form: .act(
                        "\(path)/remove", csrf: visit.csrf, hidden: [("revision", file.revision)],
                        [EditReason.field()], button: "Remove", isDangerous: true),
                    links: [Link("Back without changes", path)]),
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
