import Consumable
import Foundation
import InAppPurchase
import Testing

@Suite struct TermsTests {
    static let entries: [String] = [
        #"{"id": "p", "type": "consumable"}"#,
        #"{"id": "p", "type": "consumable", "credits": {"hints": 10, "coins": 1000000000}, "ownership": "transfer"}"#,
        #"{"id": "p", "type": "consumable", "bundles": ["a", "b"], "redownloadHours": 87600}"#,
        #"{"id": "p", "type": "non-consumable", "bundles": ["a"], "ownership": "keep"}"#,
        #"{"id": "p", "type": "non-consumable", "partialRefund": "revoke"}"#,
        #"{"id": "p", "type": "consumable", "partialRefund": "keep"}"#,
        #"{"id": "p", "type": "non-renewing", "duration": "P1Y2M3DT4H5M6S", "group": "club", "level": 1}"#,
        #"{"id": "p", "type": "non-renewing", "duration": "PT3155760000S"}"#,
        #"{"id": "p", "type": "auto-renewable", "group": "club", "level": 2, "credits": {"gems": 5}}"#,
        #"{"id": "p", "type": "auto-renewable", "metadata": {"a": [1, 2.5, null, true, "x", {}]}}"#,
    ]

    @Test(arguments: entries) func `Terms are read back as they were stored`(json: String) throws {
        let sold = try product(json)
        let kept = try product(try written(sold))
        #expect(try written(kept) == written(sold))
        #expect((kept.id, kept.type) == (sold.id, sold.type))
        #expect((kept.credits, kept.bundles, kept.ownership) == (sold.credits, sold.bundles, sold.ownership))
        #expect((kept.group, kept.level) == (sold.group, sold.level))
        #expect(try writtenHandler(of: kept) == writtenHandler(of: sold))
    }

    @Test func `Terms leave out what is only about selling`() throws {
        let json = #"""
            {"id": "p", "type": "consumable", "metadata": {"a": 1}, "availableFrom": "2026-01-01T00:00:00Z",
             "availableUntil": "2027-01-01T00:00:00Z", "minimumAppVersion": "2", "platforms": ["ios"],
             "storefronts": ["DEU"]}
            """#
        let members = try JSONDecoder().decode([String: JSONValue].self, from: Data(written(product(json)).utf8))
        #expect(members.keys.sorted() == ["bundles", "credits", "id", "ownership", "redownloadHours", "type"])
    }

    /// Terms from before the setting existed have the same bytes, by whose hash they are known.
    @Test(arguments: ["consumable", "non-consumable"])
    func `A setting that is not set is not written`(type: String) throws {
        #expect(try !written(product(#"{"id": "p", "type": "\#(type)"}"#)).contains("partialRefund"))
    }

    /// The defaults of a later version of this server do not change what was bought before.
    @Test func `Terms have the defaults of their day written out`() throws {
        let terms = try product(try written(product(#"{"id": "p", "type": "consumable"}"#)))
        #expect((terms.handler as? Consumable)?.redownloadHours == 24)
        #expect(terms.ownership == .keep)
    }

    private func written(_ product: Product) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(product), as: UTF8.self)
    }

    private func writtenHandler(of product: Product) throws -> [String: JSONValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(product.handler))
            .filter { $0.value != .array([]) }
    }
}
