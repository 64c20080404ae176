import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Edits of an app's settings leave every byte of its products and of other apps as it is.
@Suite struct AppTextTests {
    private static let products = #"[ {"id": "a" , "type": "consumable", "metadata": {"n": 1.50}} ]"#

    private static func edited(_ text: String, app: String, _ act: AppEdit.Act) throws -> String {
        let file = try CatalogFile(Data(text.utf8), bundles: [], handlers: Server.standardHandlers)
        let edit = AppEdit(app: BundleID(stored: app), act: act)
        let change = try file.applying(edit, bundles: [], handlers: Server.standardHandlers)
        return String(decoding: change.files.new.bytes, as: UTF8.self)
    }

    /// The entries of an app, as people write them, with the settings that are put, and what becomes of them.
    @Test(arguments: [
        // One line.
        (
            #"{"bundleID": "a", "products": P}"#, #"{"appAppleID": 1}"#,
            #"{"bundleID": "a", "appAppleID": 1, "products": P}"#
        ),
        // Spaces of its own, and a value that stays as it is written.
        (
            #"{ "bundleID" : "a", "notice" : "h\u0069", "products" : P }"#,
            #"{"notice": "h\u0069", "sandbox": "testers"}"#,
            #"{ "bundleID" : "a", "notice" : "h\u0069", "sandbox": "testers", "products" : P }"#
        ),
        // Another value, in another order.
        (
            #"{"sandbox": "testers", "bundleID": "a", "appAppleID": 1, "products": P}"#,
            #"{"appAppleID": 2, "sandbox": "testers"}"#,
            #"{"sandbox": "testers", "bundleID": "a", "appAppleID": 2, "products": P}"#
        ),
        // The first member goes, and the last one.
        (
            #"{ "sandbox": "testers", "bundleID": "a", "products": P, "appAppleID": 1 }"#, "{}",
            #"{ "bundleID": "a", "products": P }"#
        ),
        // Products first.
        (
            #"{"products": P, "bundleID": "a"}"#, #"{"appAppleID": 1}"#,
            #"{"products": P, "bundleID": "a", "appAppleID": 1}"#
        ),
        // Lines.
        (
            "{\n  \"bundleID\": \"a\",\n  \"products\": P\n}", #"{"appAppleID": 1, "sandbox": "testers"}"#,
            "{\n  \"bundleID\": \"a\",\n  \"appAppleID\": 1,\n  \"sandbox\": \"testers\",\n" + "  \"products\": P\n}"
        ),
    ])
    func `Editing the settings of an app leaves all other bytes`(entry: String, settings: String, expected: String)
        throws
    {
        func catalog(_ entry: String) -> String {
            let whole = entry.replacing("P", with: Self.products)
            return "{\"apps\" : [ {\"bundleID\":\"x\",\"products\":[]} ,\n\(whole) ] }"
        }
        let put = AppEdit.Act.put(Data(settings.utf8))
        let edited = try Self.edited(catalog(entry), app: "a", put)
        #expect(edited == catalog(expected))
        #expect(try Self.edited(edited, app: "a", put) == edited, "the second time nothing changes")
    }

    @Test func `An app is added in the style of the others, and removed again`() throws {
        let texts = [
            #"{"apps": []}"#, #"{"apps": [{"bundleID": "a", "products": []}]}"#, Project.products,
            "{\n\t\"apps\": [\n\t\t{\n\t\t\t\"bundleID\": \"a\",\n\t\t\t\"products\": []\n\t\t}\n\t]\n}\n",
        ]
        let bundles = ["hard-words", "ios-words", "night-theme"].map(BundleName.init(stored:))
        for text in texts {
            let file = try CatalogFile(Data(text.utf8), bundles: bundles, handlers: Server.standardHandlers)
            let put = AppEdit(app: "new", act: .put(Data(#"{"appAppleID": 1}"#.utf8)))
            let added = try file.applying(put, bundles: bundles, handlers: Server.standardHandlers)
            #expect(added.outcome == .added && added.files.new.catalog.apps.last?.appAppleID == 1, "\(text)")
            let product = CatalogEdit(app: "new", act: .put(Data(#"{"id": "x", "type": "consumable"}"#.utf8)))
            let sold = try added.files.new.applying(product, bundles: bundles, handlers: Server.standardHandlers)
            #expect(sold.files.new.catalog.app("new")?.products.map(\.id) == ["x"])
            let remove = AppEdit(app: "new", act: .remove)
            let removed = try added.files.new.applying(remove, bundles: bundles, handlers: Server.standardHandlers)
            #expect(file.catalog.apps.isEmpty || removed.files.new.bytes == file.bytes, "\(text)")
            #expect(throws: CatalogRefusal.self) {
                try sold.files.new.applying(remove, bundles: bundles, handlers: Server.standardHandlers)
            }
        }
        let lines = try Self.edited(texts[3], app: "new", .put(Data(#"{"appAppleID": 1}"#.utf8)))
        let members = "\n\t\t\t\"bundleID\": \"new\",\n\t\t\t\"appAppleID\": 1,\n\t\t\t\"products\": []\n"
        let tabs = "\t\t{" + members + "\t\t}\n\t]\n}\n"
        #expect(lines.hasSuffix(tabs), "\(lines)")
    }
}
