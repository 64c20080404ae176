import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import ServerCore
import ServerHTTP

/// The page with the form of an entry, by member or as JSON, for an existing product or a new one.
struct EntryForm: Sendable {
    private static let rows = 20

    let app: BundleID
    /// The product; `nil` for a new one.
    let product: ProductID?
    let base: Data
    let revision: String
    private let isJSON: Bool
    private let editor: any CatalogEditing
    private let administrator: Administrator
    private let csrf: String
    /// The values that were filled in; `nil` if none were yet.
    private let form: FormBody?
    /// The ID of a new product, before one was filled in.
    private let suggestedID: String
    /// The type in place of that of the entry, before one was filled in.
    private var suggestedType: String?

    /// The form of a product as it is.
    init(of shown: ShownProduct, _ visit: Visit, _ editor: any CatalogEditing) {
        app = shown.app.bundleID
        product = shown.product.id
        base = shown.entry.plainJSON
        revision = shown.file.revision
        isJSON = visit.query("as") == "json"
        form = nil
        suggestedID = visit.query("id") ?? ""
        suggestedType = visit.query("type")
        csrf = visit.csrf
        self.editor = editor
        administrator = visit.administrator
    }

    /// The form of a new product of a type.
    init(newOf type: ProductType, in app: BundleID, _ visit: Visit, _ editor: any CatalogEditing) {
        self.app = app
        product = nil
        base = Data("{\"type\": ".utf8) + type.rawValue.jsonText + Data("}".utf8)
        revision = EntryDraft.new
        isJSON = visit.query("as") == "json"
        form = nil
        suggestedID = visit.query("id") ?? ""
        csrf = visit.csrf
        self.editor = editor
        administrator = visit.administrator
    }

    /// The form as it was filled in.
    ///
    /// - Parameter product: `nil` for a new product.
    init(_ visit: Visit, _ form: FormBody, _ editor: any CatalogEditing, product: ProductID?) throws {
        app = try visit.app
        self.product = product
        base = try form.entry("base")
        revision = form["revision"]
        isJSON = form["as"] == "json"
        self.form = form
        suggestedID = ""
        csrf = visit.csrf
        self.editor = editor
        administrator = visit.administrator
    }

    private var members: EntryFields {
        get throws {
            try EntryFields(
                ofProduct: base, handlers: editor.handlers, bundles: administrator.bundlesToTell(editor.bundles))
        }
    }

    /// A refusal of the catalog at the field that it is about.
    func mistakes(for error: String) throws -> FormRefusal {
        guard !isJSON else { return FormRefusal(fields: ["entry": CatalogMistake.plain(error)]) }
        if product == nil, error.hasPrefix("id: ") {
            return FormRefusal(fields: ["id": CatalogMistake(error).words([], hint: nil)])
        }
        return try members.mistakes(for: error, form ?? FormBody(""))
    }

    /// The entry that was filled in.
    ///
    /// - Throws: ``FormRefusal``, ``/ServerCore/CatalogRefusal`` for an entry that is not JSON.
    func draft() throws -> EntryDraft {
        let form = try form ?? FormBody("")
        let entry = isJSON ? written(form["entry"]) : try members.entry(form)
        guard product == nil, !isJSON else {
            return EntryDraft(
                app: app, product: product, entry: entry, base: product == nil ? Data() : base, revision: revision)
        }
        guard let id = try? ProductID(checking: form["id"]) else {
            throw FormRefusal(fields: ["id": "Fill in the product's ID in App Store Connect."])
        }
        return EntryDraft(app: app, product: id, entry: entry, base: Data(), revision: revision)
    }

    /// The entry as it was typed; if unchanged, as it is in the catalog.
    private func written(_ text: String) -> Data {
        text.replacing("\r\n", with: "\n") == base.entryLines ? base : Data(text.utf8)
    }

    /// The page.
    ///
    /// - Parameter mistakes: why what was filled in is refused.
    func content(_ mistakes: FormRefusal? = nil) throws -> PageContent {
        let form = Form.act(
            action, csrf: csrf,
            hidden: [("base", base.base64URL), ("revision", revision), ("as", isJSON ? "json" : "fields")],
            try fields, button: "Review the changes")
        let marked = mistakes?.marking(form)
        return PageContent(
            product == nil ? "Add a product" : "Change a product", notice: marked?.notice,
            status: marked == nil ? .ok : .unprocessableContent,
            [
                Block(
                    text: isJSON ? nil : try members.hiddenText,
                    facts: product.map { [Fact("Product", .code($0.text)), Fact("App", Cell(app.text))] }),
                Block(form: marked?.form ?? form, links: [Link("Back without changes", back)]),
            ])
    }

    private var action: String {
        product.map { ShownProduct.path(app, $0) + "/edit" } ?? "/admin/apps/\(app.text.pathEncoded)/new-product"
    }

    private var back: String {
        product.map { ShownProduct.path(app, $0) } ?? "/admin/products?app=\(app.text.pathEncoded)"
    }

    private var fields: [Field] {
        get throws {
            guard !isJSON else {
                let start =
                    product == nil
                    ? Data("{\"id\": ".utf8) + suggestedID.jsonText + Data(", ".utf8) + base.dropFirst() : base
                return [
                    .area(
                        "Entry", name: "entry", value: form?["entry"] ?? start.entryLines, rows: Self.rows,
                        hint: "As in products.json. The manual's page Catalog has the members.")
                ]
            }
            let id = Field.input(
                "Product", name: "id", value: form?["id"] ?? suggestedID, hint: "Its ID in App Store Connect.")
            return (product == nil ? [id] : [])
                + (try members.fields(form)).map {
                    $0.name == ProductMember.typeField ? $0.filled(suggestedType ?? "") : $0
                }
        }
    }
}
