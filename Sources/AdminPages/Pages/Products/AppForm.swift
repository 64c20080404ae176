import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import ServerCore
import ServerHTTP

/// The page with the form of an app's settings, by member or as JSON, for an existing app or a new one.
struct AppForm: Sendable {
    private static let rows = 20

    /// The app; `nil` for a new one.
    let app: BundleID?
    let base: Data
    let revision: String
    private let isJSON: Bool
    private let editor: any CatalogEditing
    private let administrator: Administrator
    private let csrf: String
    /// The values that were filled in; `nil` if none were yet.
    private let form: FormBody?

    /// The form of an app as it is.
    init(of app: BundleID, _ entry: Data, _ file: CatalogFile, _ visit: Visit, _ editor: any CatalogEditing) {
        self.app = app
        base = entry
        revision = file.revision
        isJSON = visit.query("as") == "json"
        form = nil
        csrf = visit.csrf
        self.editor = editor
        administrator = visit.administrator
    }

    /// The form of a new app.
    init(new visit: Visit, _ editor: any CatalogEditing) {
        app = nil
        base = Data("{}".utf8)
        revision = AppDraft.new
        isJSON = false
        form = nil
        csrf = visit.csrf
        self.editor = editor
        administrator = visit.administrator
    }

    /// The form as it was filled in.
    ///
    /// - Parameter app: `nil` for a new app.
    init(_ visit: Visit, _ form: FormBody, _ editor: any CatalogEditing, app: BundleID?) throws {
        self.app = app
        base = try form.entry("base")
        revision = form["revision"]
        isJSON = form["as"] == "json"
        self.form = form
        csrf = visit.csrf
        self.editor = editor
        administrator = visit.administrator
    }

    private var knownBundles: [BundleName]? { administrator.bundlesToTell(editor.bundles) }

    /// The settings that were filled in.
    ///
    /// - Throws: ``/ServerCore/CatalogRefusal`` for settings that are not JSON, or without a bundle ID.
    func draft() throws -> AppDraft {
        let form = try form ?? FormBody("")
        let entry = isJSON ? written(form["entry"]) : try EntryFields(ofApp: base, bundles: knownBundles).entry(form)
        guard let id = app ?? (try? BundleID(checking: form["bundleID"])), !id.text.isEmpty else {
            throw CatalogRefusal.invalidApp("bundleID: as in App Store Connect")
        }
        return AppDraft(app: id, entry: entry, base: app == nil ? Data() : base, revision: revision)
    }

    /// The settings as they were typed; if unchanged, as they are in the catalog.
    private func written(_ text: String) -> Data {
        text.replacing("\r\n", with: "\n") == base.entryLines ? base : Data(text.utf8)
    }

    /// The difference that the form makes; the form again if its settings are refused.
    func review(_ visit: Visit, _ catalog: CatalogServices) async throws -> PageContent {
        do {
            return try await EntryReview(catalog: catalog, visit: visit).content(
                of: draft(), title: title, text: app == nil ? "It begins without products." : nil)
        } catch CatalogRefusal.invalidApp(let error), CatalogRefusal.unreadableEntry(let error) {
            return try content(error: error)
        }
    }

    private var title: String { app == nil ? "Add an app" : "Change the settings of an app" }

    /// The page.
    ///
    /// - Parameter error: why what was filled in is refused.
    func content(error: String? = nil) throws -> PageContent {
        let (path, fields) = (app.map { AppSettingsPages.path($0) }, try fields)
        let hidden = [
            ("base", base.base64URL), ("revision", revision), ("as", isJSON ? "json" : "fields"),
        ]
        return PageContent(
            title, notice: error.map { Notice("Nothing was changed: \($0)", .bad) },
            status: error == nil ? .ok : .unprocessableContent,
            [
                Block(facts: app.map { [Fact("App", Cell($0.text))] }),
                Block(
                    form: .act(
                        path.map { $0 + "/edit" } ?? "/admin/new-app", csrf: csrf, hidden: hidden, fields,
                        button: "Review the changes"),
                    links: [Link("Back without changes", path ?? "/admin/products")]),
            ])
    }

    private var fields: [Field] {
        get throws {
            guard !isJSON else {
                return [
                    .area(
                        "Settings", name: "entry", value: form?["entry"] ?? base.entryLines, rows: Self.rows,
                        hint: "As in products.json, without the products; docs/operate/catalog.md has the members.")
                ]
            }
            let id = Field.input(
                "App", name: "bundleID", value: form?["bundleID"] ?? "", hint: "Its bundle ID in App Store Connect.")
            let members = try EntryFields(ofApp: base, bundles: knownBundles).fields(form)
            return (app == nil ? [id] : []) + members
        }
    }
}
