import Foundation
import InAppPurchase
import Testing

@Suite struct CatalogMistakeTests {
    private static func times(_ from: String, _ until: String) -> String {
        #""availableFrom": "\#(from)", "availableUntil": "\#(until)""#
    }

    /// Members of the entry after a good one, and the path from the entry to the error.
    static let entries: [(String, String)] = [
        (#""type": "consumable""#, ".id"),
        (#""id": "", "type": "consumable""#, ".id"),
        (#""id": 7, "type": "consumable""#, ".id"),
        (#""id": "p\u0000", "type": "consumable""#, ".id"), (#""id": "p\nq", "type": "consumable""#, ".id"),
        (#""id": "p", "type": "consumable", "credits": {"hints\u0000": 1}"#, ".credits"),
        (#""id": "p", "type": "consumable", "name": "Club""#, ".name"),
        (#""id": "p", "type": "consumable", "name": {}"#, ".name"),
        (#""id": "p", "type": "consumable", "name": {"en": ""}"#, ".name"),
        (#""id": "p", "type": "consumable", "name": {"en": " "}"#, ".name"),
        (#""id": "p", "type": "consumable", "name": {"en": "Club\u0000"}"#, ".name"),
        (#""id": "p", "type": "consumable", "name": {"english!": "Club"}"#, ".name"),
        (#""id": "p", "type": "consumable", "name": {"en": 7}"#, ".name.en"),
        (#""id": "p", "type": "consumable", "credits": {"hints\u2028": 1}"#, ".credits"),
        (#""id": "p", "type": "non-consumable", "bundles": ["words\u007f"]"#, ".bundles"),
        (#""id": "p", "type": "auto-renewable", "group": "club\u001b[2J""#, ".group"),
        (#""id": "p""#, ".type"),
        (#""id": "p", "type": "loot-box""#, ".type"),
        (#""id": "p", "type": "consumable", "credit": {"hints": 1}"#, ".credit"),
        (#""id": "p", "type": "non-consumable", "credit": {"hints": 1}"#, ".credit"),
        (#""id": "p", "type": "consumable", "duration": "P1M""#, ".duration"),
        (#""id": "p", "type": "non-consumable", "redownloadHours": 24"#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "credits": {"hints": -1}"#, ".credits"),
        (#""id": "p", "type": "consumable", "credits": {"hints": 0}"#, ".credits"),
        (#""id": "p", "type": "consumable", "credits": {"hints": 1000000001}"#, ".credits"),
        (#""id": "p", "type": "consumable", "credits": {"": 1}"#, ".credits"),
        (#""id": "p", "type": "consumable", "credits": {"hints": 1.5}"#, ".credits"),
        (#""id": "p", "type": "consumable", "credits": {"hints": 99999999999999999999}"#, ".credits"),
        (#""id": "p", "type": "consumable", "credits": {"hints": "10"}"#, ".credits.hints"),
        (#""id": "p", "type": "consumable", "credits": [[[[]]]]"#, ".credits"),
        (#""id": "p", "type": "auto-renewable", "trialCredits": "no""#, ".trialCredits"),
        (#""id": "p", "type": "auto-renewable", "trialCredits": true"#, ".trialCredits"),
        (#""id": "p", "type": "non-renewing", "duration": "P1M", "trialCredits": "grant""#, ".trialCredits"),
        (#""id": "p", "type": "consumable", "trialCredits": "grant""#, ".trialCredits"),
        (#""id": "p", "type": "consumable", "offers": []"#, ".offers"),
        (#""id": "p", "type": "auto-renewable", "offers": {"id": "o"}"#, ".offers"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"for": "any"}]"#, ".offers[0].id"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"id": ""}]"#, ".offers[0].id"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"id": "o\u0000"}]"#, ".offers[0].id"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"id": "o"}, {"id": "o"}]"#, ".offers"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"id": "o", "for": "all"}]"#, ".offers[0].for"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"id": "o", "once": 1}]"#, ".offers[0].once"),
        (#""id": "p", "type": "auto-renewable", "offers": [{"id": "o", "twice": true}]"#, ".offers[0].twice"),
        (#""id": "p", "type": "consumable", "bundles": "hard-words""#, ".bundles"),
        (#""id": "p", "type": "consumable", "bundles": ["hard-words", null]"#, ".bundles[1]"),
        (#""id": "p", "type": "consumable", "redownloadHours": 0"#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "redownloadHours": -24"#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "redownloadHours": 87601"#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "redownloadHours": 24.5"#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "redownloadHours": "24""#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "redownloadHours": 1e30"#, ".redownloadHours"),
        (#""id": "p", "type": "consumable", "partialRefund": "half""#, ".partialRefund"),
        (#""id": "p", "type": "non-consumable", "partialRefund": true"#, ".partialRefund"),
        (#""id": "p", "type": "auto-renewable", "partialRefund": "revoke""#, ".partialRefund"),
        (#""id": "p", "type": "non-renewing", "duration": "P1M", "partialRefund": "keep""#, ".partialRefund"),
        (#""id": "p", "type": "non-renewing""#, ".duration"),
        (#""id": "p", "type": "non-renewing", "duration": "one month""#, ".duration"),
        (#""id": "p", "type": "non-renewing", "duration": "P101Y""#, ".duration"),
        (#""id": "p", "type": "non-renewing", "duration": 30"#, ".duration"),
        (#""id": "p", "type": "auto-renewable", "level": 0"#, ".level"),
        (#""id": "p", "type": "auto-renewable", "level": 1.5"#, ".level"),
        (#""id": "p", "type": "auto-renewable", "renewalLeewayMinutes": -1"#, ".renewalLeewayMinutes"),
        (#""id": "p", "type": "auto-renewable", "renewalLeewayMinutes": 61"#, ".renewalLeewayMinutes"),
        (#""id": "p", "type": "auto-renewable", "renewalLeewayMinutes": 1.5"#, ".renewalLeewayMinutes"),
        (#""id": "p", "type": "consumable", "metadata": {"a": [1e999]}"#, ".metadata.a"),
        (#""id": "p", "type": "auto-renewable", "group": 3"#, ".group"),
        (#""id": "p", "type": "auto-renewable", "ownership": "steal""#, ".ownership"),
        (#""id": "p", "type": "consumable", "metadata": []"#, ".metadata"),
        (#""id": "p", "type": "consumable", "availableFrom": "yesterday""#, ".availableFrom"),
        (#""id": "p", "type": "consumable", "availableFrom": "2026-02-30T00:00:00Z""#, ".availableFrom"),
        (#""id": "p", "type": "consumable", "availableUntil": 1767225600"#, ".availableUntil"),
        (#""id": "p", "type": "consumable", "minimumAppVersion": 2"#, ".minimumAppVersion"),
        (#""id": "p", "type": "consumable", "minimumAppVersion": "two""#, ".minimumAppVersion"),
        (#""id": "p", "type": "consumable", "minimumAppVersion": """#, ".minimumAppVersion"),
        (#""id": "p", "type": "consumable", "minimumAppVersion": "1.2.3.4""#, ".minimumAppVersion"),
        (
            #""id": "p", "type": "consumable", \#(times("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"))"#,
            ".availableUntil"
        ),
        (
            #""id": "p", "type": "consumable", \#(times("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"))"#,
            ".availableUntil"
        ),
        (
            #""id": "p", "type": "consumable", \#(times("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+02:00"))"#,
            ".availableUntil"
        ),
        (#""id": "p", "type": "consumable", "platforms": "ios""#, ".platforms"),
        (#""id": "p", "type": "consumable", "storefronts": [1]"#, ".storefronts[0]"),
        (#""id": "p", "type": "consumable", "storefronts": ["DEU", "FR"]"#, ".storefronts[1]"),
        (#""id": "p", "type": "consumable", "storefronts": ["143443"]"#, ".storefronts[0]"),
    ]

    @Test(arguments: entries) func `A wrong entry of the catalog is refused with the path to the mistake`(
        members: String, expected: String
    ) throws {
        let json = """
            {"apps": [{"bundleID": "a", "products": []}, {"bundleID": "b", "products": [
             {"id": "good", "type": "non-consumable"}, {\(members)}]}]}
            """
        let error = try #require(throws: DecodingError.self) { try catalog(json) }
        #expect(path(of: error) == "apps[1].products[1]" + expected)
    }

    static let files: [(String, String)] = [
        ("", ""), ("[]", ""), ("{}", "apps"), (#"{"apps": {}}"#, "apps"), (#"{"apps": [null]}"#, "apps[0]"),
        (#"{"apps": [{"products": []}]}"#, "apps[0].bundleID"),
        (#"{"apps": [{"bundleID": "", "products": []}]}"#, "apps[0].bundleID"),
        (#"{"apps": [{"bundleID": "a"}]}"#, "apps[0].products"),
        (#"{"apps": [{"bundleID": "a\u0000b", "products": []}]}"#, "apps[0].bundleID"),
        (#"{"apps": [{"bundleID": "a", "currencies": {"c\u000a": {}}, "products": []}]}"#, "apps[0].currencies"),
        (#"{"apps": [{"bundleID": "a", "products": []}, {"bundleID": "a", "products": []}]}"#, "apps"),
        (#"{"apps": [{"bundleID": "a", "appAppleID": "1", "products": []}]}"#, "apps[0].appAppleID"),
        (#"{"apps": [{"bundleID": "a", "appAppleID": 1e30, "products": []}]}"#, "apps[0].appAppleID"),
        (#"{"apps": [{"bundleID": "a", "offlineDays": 0, "products": []}]}"#, "apps[0].offlineDays"),
        (#"{"apps": [{"bundleID": "a", "offlineDays": 36, "products": []}]}"#, "apps[0].offlineDays"),
        (#"{"apps": [{"bundleID": "a", "offlineDays": 1.5, "products": []}]}"#, "apps[0].offlineDays"),
        (
            #"{"apps": [{"bundleID": "a", "receiptVersions": {"minimum": "1.0-b"}, "products": []}]}"#,
            "apps[0].receiptVersions.minimum"
        ),
        (
            #"{"apps": [{"bundleID": "a", "receiptVersions": {"minimum": 2}, "products": []}]}"#,
            "apps[0].receiptVersions.minimum"
        ),
        (
            #"{"apps": [{"bundleID": "a", "receiptVersions": {"maximum": "2"}, "products": []}]}"#,
            "apps[0].receiptVersions.maximum"
        ),
        (#"{"apps": [{"bundleID": "a", "receiptVersions": "2", "products": []}]}"#, "apps[0].receiptVersions"),
        (#"{"apps": [{"bundleID": "a", "legal": {"terms": "http://a"}, "products": []}]}"#, "apps[0].legal.terms"),
        (#"{"apps": [{"bundleID": "a", "legal": {"terms": "https:"}, "products": []}]}"#, "apps[0].legal.terms"),
        (#"{"apps": [{"bundleID": "a", "legal": {"privacy": "https://a"}, "products": []}]}"#, "apps[0].legal.privacy"),
        (#"{"apps": [{"bundleID": "a", "sandbox": "all", "products": []}]}"#, "apps[0].sandbox"),
        (#"{"apps": [{"bundleID": "a", "sandbox": {}, "products": []}]}"#, "apps[0].sandbox.everyoneUntil"),
        (#"{"apps": [{"bundleID": "a", "currencies": [], "products": []}]}"#, "apps[0].currencies"),
        (#"{"apps": [{"bundleID": "a", "startingCredits": 20, "products": []}]}"#, "apps[0].startingCredits"),
        (#"{"apps": [{"bundleID": "a", "startingCredits": {"": 1}, "products": []}]}"#, "apps[0].startingCredits"),
        (#"{"apps": [{"bundleID": "a", "startingCredits": {"h": 0}, "products": []}]}"#, "apps[0].startingCredits"),
        (
            #"{"apps": [{"bundleID": "a", "startingCreditsOnce": "appTransaction", "products": []}]}"#,
            "apps[0].startingCreditsOnce"
        ),
        (
            #"{"apps": [{"bundleID": "a", "startingCredits": {"h": 1}, "startingCreditsOnce": "x", "products": []}]}"#,
            "apps[0].startingCreditsOnce"
        ),
        (#"{"apps": [{"bundleID": "a", "currencies": {"": {}}, "products": []}]}"#, "apps[0].currencies"),
        (#"{"apps": [{"bundleID": "a", "currencies": {"c": "debt"}, "products": []}]}"#, "apps[0].currencies.c"),
        (
            #"{"apps": [{"bundleID": "a", "currencies": {"c": {"refund": "no"}}, "products": []}]}"#,
            "apps[0].currencies.c.refund"
        ),
        (
            #"{"apps": [{"bundleID": "a", "currencies": {"c": {"refunds": "debt"}}, "products": []}]}"#,
            "apps[0].currencies.c.refunds"
        ),
        (#"{"apps": [{"bundleID": "a", "openBundles": "b", "products": []}]}"#, "apps[0].openBundles"),
        (#"{"apps": [{"bundleID": "a", "openBundles": ["b", 1], "products": []}]}"#, "apps[0].openBundles[1]"),
        (#"{"apps": [{"bundleID": "a", "openBundles": ["b\u0000"], "products": []}]}"#, "apps[0].openBundles"),
        (#"{"apps": [{"bundleID": "a", "openBundle": [], "products": []}]}"#, "apps[0].openBundle"),
        (#"{"apps": [{"bundleID": "a", "notice": "", "products": []}]}"#, "apps[0].notice"),
        (#"{"apps": [{"bundleID": "a", "notice": {"de": "x"}, "products": []}]}"#, "apps[0].notice"),
        (
            #"{"apps": [{"bundleID": "a", "notice": "\#(String(repeating: "é", count: 2_001))", "products": []}]}"#,
            "apps[0].notice"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": [], "products": []}]}"#,
            "apps[0].placements"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"": []}, "products": []}]}"#,
            "apps[0].placements"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"a\u0000": []}, "products": []}]}"#,
            "apps[0].placements"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": "p"}, "products": []}]}"#,
            "apps[0].placements.s"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": ["p", "p"]}, "products": []}]}"#,
            "apps[0].placements.s"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"when": {}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].products"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": ["p", "p"]}]}, "products": []}]}"#,
            "apps[0].placements.s[0].products"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "title": ""}]}, "products": []}]}"#,
            "apps[0].placements.s[0].title"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"bucket": [0, 9]}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.bucket"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"buckets": [0]}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.buckets"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"buckets": [9, 0]}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.buckets"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"buckets": [0, 100]}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.buckets"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"buckets": [-1, 5]}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.buckets"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"storefronts": ["DE"]}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.storefronts[0]"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"maximumAppVersion": "x"}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.maximumAppVersion"
        ),
        (
            #"{"apps": [{"bundleID": "a", "placements": {"s": [{"products": [], "when": {"minimumAppVersion": "3", "maximumAppVersion": "2.9"}}]}, "products": []}]}"#,
            "apps[0].placements.s[0].when.maximumAppVersion"
        ),
        (#"{"apps": [{"bundleID": "a", "minimumAppVersion": 2, "products": []}]}"#, "apps[0].minimumAppVersion"),
        (#"{"apps": [{"bundleID": "a", "minimumAppVersion": "two", "products": []}]}"#, "apps[0].minimumAppVersion"),
        (
            #"{"apps": [{"bundleID": "a", "sandbox": {"everyoneUntil": "soon"}, "products": []}]}"#,
            "apps[0].sandbox.everyoneUntil"
        ),
        (
            #"""
            {"apps": [{"bundleID": "a", "products": [
             {"id": "p", "type": "consumable"}, {"id": "p", "type": "non-consumable"}]}]}
            """#, "apps[0].products"
        ),
    ]

    @Test(arguments: files)
    func `A wrong catalog is refused with the path to the mistake`(json: String, expected: String) throws {
        let error = try #require(throws: DecodingError.self) { try catalog(json) }
        #expect(path(of: error) == expected)
    }

    static let openings: [String] = [
        "", #"{"apps": "#, #"{"apps": [{"bundleID": "a", "products": "#,
        #"{"apps": [{"bundleID": "a", "products": [{"id": "p", "type": "consumable", "metadata": {"a": "#,
    ]

    @Test(arguments: openings, ["[", #"{"a":"#])
    func `A deeply nested catalog is refused`(opening: String, nesting: String) {
        let json = opening + String(repeating: nesting, count: 100_000)
        #expect(throws: DecodingError.self) { try catalog(json) }
    }

    @Test(arguments: [1, 100, 480]) func `Metadata may be as deep as JSON may be`(depth: Int) throws {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let entry = try product(#"{"id": "p", "type": "consumable", "metadata": {"a": \#(arrays)}}"#)
        #expect(entry.metadata.keys.sorted() == ["a"])
    }

    /// A plugin with the decoder that the compiler makes.
    private struct Lives: ProductHandler {
        static let productType = ProductType(rawValue: "lives")
        var count: Int

        static func entitlement(to: ProductID, given: PurchaseHistory<Self>, at date: Date) -> Entitlement {
            Entitlement(access: .granted(until: nil), credits: [:])
        }
    }

    @Test(arguments: [
        (#"{"id": "p", "type": "lives", "count": "1"}"#, "[0].count"),
        (#"{"id": "p", "type": "lives"}"#, "[0].count"),
        (#"{"id": "p", "type": "lives", "count": 1, "counts": 2}"#, "[0].counts"),
        (#"{"id": "p", "type": "lives", "count": 1.5}"#, "[0]"),
    ])
    func `Mistakes in the settings of any plugin are refused with their path`(json: String, expected: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode([Product].self, from: Data("[\(json)]".utf8), configuration: [Lives.self])
        }
        #expect(path(of: error) == expected)
    }
}
