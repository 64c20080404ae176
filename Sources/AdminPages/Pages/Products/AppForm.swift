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
    /// The products that a placement can offer.
    private let products: [ProductID]
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
        products = file.catalog.app(app)?.products.map(\.id) ?? []
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
        products = []
        self.editor = editor
        administrator = visit.administrator
    }

    /// The form as it was filled in.
    ///
    /// - Parameter app: `nil` for a new app.
    init(_ visit: Visit, _ form: FormBody, _ catalog: CatalogServices, app: BundleID?) throws {
        self.app = app
        base = try form.entry("base")
        revision = form["revision"]
        isJSON = form["as"] == "json"
        self.form = form
        csrf = visit.csrf
        products = app.flatMap { catalog.live.current.catalog.app($0)?.products.map(\.id) } ?? []
        editor = catalog.editor
        administrator = visit.administrator
    }

    private var members: EntryFields {
        get throws {
            try EntryFields(ofApp: base, bundles: administrator.bundlesToTell(editor.bundles), products: products)
        }
    }

    /// The settings that were filled in.
    ///
    /// - Throws: ``FormRefusal``, ``/ServerCore/CatalogRefusal`` for settings that are not JSON.
    func draft() throws -> AppDraft {
        let form = try form ?? FormBody("")
        let entry = isJSON ? written(form["entry"]) : try members.entry(form)
        guard let id = app ?? (try? BundleID(checking: form["bundleID"])), !id.text.isEmpty else {
            throw FormRefusal(fields: ["bundleID": "Fill in the app's bundle ID in App Store Connect."])
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
        } catch let mistakes as FormRefusal {
            return try content(mistakes)
        } catch CatalogRefusal.invalidApp(let error), CatalogRefusal.unreadableEntry(let error) {
            return try content(mistakes(for: error))
        }
    }

    /// A refusal of the catalog at the field that it is about.
    private func mistakes(for error: String) throws -> FormRefusal {
        guard !isJSON else { return FormRefusal(fields: ["entry": CatalogMistake.plain(error)]) }
        if app == nil, error.hasPrefix("bundleID: ") {
            return FormRefusal(fields: ["bundleID": CatalogMistake(error).words([], hint: nil)])
        }
        return try members.mistakes(for: error, form ?? FormBody(""))
    }

    private var title: String { app == nil ? "Add an app" : "Change the settings of an app" }

    /// The page.
    ///
    /// - Parameter mistakes: why what was filled in is refused.
    func content(_ mistakes: FormRefusal? = nil) throws -> PageContent {
        let path = app.map { AppSettingsPages.path($0) }
        let form = Form.act(
            path.map { $0 + "/edit" } ?? "/admin/new-app", csrf: csrf,
            hidden: [("base", base.base64URL), ("revision", revision), ("as", isJSON ? "json" : "fields")],
            try fields, button: "Review the changes")
        let marked = mistakes?.marking(form)
        return PageContent(
            title, notice: marked?.notice, status: marked == nil ? .ok : .unprocessableContent,
            [
                Block(text: isJSON ? nil : try members.hiddenText, facts: app.map { [Fact("App", Cell($0.text))] }),
                Block(
                    form: marked?.form ?? form, links: [Link("Back without changes", path ?? "/admin/products")]),
            ])
    }

    private var fields: [Field] {
        get throws {
            guard !isJSON else {
                return [
                    .area(
                        "Settings", name: "entry", value: form?["entry"] ?? base.entryLines, rows: Self.rows,
                        hint: "As in products.json, without the products. The manual's page Catalog has the members.")
                ]
            }
            let id = Field.input(
                "App", name: "bundleID", value: form?["bundleID"] ?? "", hint: "Its bundle ID in App Store Connect.")
            return (app == nil ? [id] : []) + (try members.fields(form))
        }
    }
}
