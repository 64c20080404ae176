import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Edits as somebody sees them who compares the file before and after.
@Suite struct CatalogEditTests {
    static let bundles: [BundleName] = ["hard-words", "ios-words", "night-theme"]

    static func edit(
        _ text: String, _ act: CatalogEdit.Act, _ id: ProductID? = nil, app: String = World.app
    ) throws -> String {
        let file = try CatalogFile(Data(text.utf8), bundles: bundles, handlers: Server.standardHandlers)
        let change = try file.applying(
            CatalogEdit(app: BundleID(stored: app), product: id, act: act), bundles: bundles,
            handlers: Server.standardHandlers)
        return String(decoding: change.files.new.bytes, as: UTF8.self)
    }

    static func put(_ text: String, _ entry: String, _ id: ProductID? = nil, app: String = "a") throws -> String {
        try edit(text, .put(Data(entry.utf8)), id, app: app)
    }

    /// The lines that differ, as `diff` shows them.
    private func difference(_ old: String, _ new: String) -> [String] {
        new.components(separatedBy: "\n").difference(from: old.components(separatedBy: "\n")).map { change in
            switch change {
            case .insert(_, let line, _): "+\(line)"
            case .remove(_, let line, _): "-\(line)"
            }
        }
    }

    @Test func `An edit changes the lines of its entry only`() throws {
        let old = Project.products
        let five = """
            {
              "id": "com.example.hangman.fivehints",
              "type": "consumable",
              "credits": {"hints": 5}
            }
            """
        #expect(
            try difference(old, Self.put(old, five, app: World.app)) == [
                "-         \"bundles\": [\"hard-words\", \"ios-words\", \"night-theme\"]}",
                "+         \"bundles\": [\"hard-words\", \"ios-words\", \"night-theme\"]},",
                "+        {\"id\": \"com.example.hangman.fivehints\", \"type\": \"consumable\", \"credits\": "
                    + "{\"hints\": 5}}",
            ])
        let ten = "{\"type\":\"consumable\",\"credits\":{\"hints\":12}}"
        #expect(
            try difference(old, Self.put(old, ten, "com.example.hangman.tenhints", app: World.app)) == [
                "-        {\"id\": \"com.example.hangman.tenhints\", \"type\": \"consumable\", \"credits\": "
                    + "{\"hints\": 10}},",
                "+        {\"id\": \"com.example.hangman.tenhints\", \"type\": \"consumable\", \"credits\": "
                    + "{\"hints\": 12}},",
            ])
        #expect(
            try difference(old, Self.edit(old, .remove, "com.example.hangman.ioswords")) == [
                "-        {\"id\": \"com.example.hangman.ioswords\", \"type\": \"non-consumable\", "
                    + "\"bundles\": [\"ios-words\"]},"
            ])
        let added = try Self.put(old, five, app: World.app)
        #expect(try Self.edit(added, .remove, "com.example.hangman.fivehints") == old)
    }

    /// A file, an entry added to it, and the file after that.
    static let additions: [(String, String, String)] = [
        (
            "{'apps':[{'bundleID':'a','products':[{'id':'x','type':'consumable'}]}]}",
            "{'id': 'y', 'type': 'consumable'}",
            "{'apps':[{'bundleID':'a','products':[{'id':'x','type':'consumable'},{'id':'y','type':'consumable'}]}]}"
        ),
        (
            "{'apps': [{'bundleID': 'a', 'products': []}]}", "{'id':'y','type':'consumable'}",
            "{'apps': [{'bundleID': 'a', 'products': [{'id': 'y', 'type': 'consumable'}]}]}"
        ),
        (
            "{\n  'apps': [\n    {'bundleID': 'a', 'products': []}\n  ]\n}\n", "{'id':'y','type':'consumable'}",
            "{\n  'apps': [\n    {'bundleID': 'a', 'products': [\n      {'id': 'y', 'type': 'consumable'}\n"
                + "    ]}\n  ]\n}\n"
        ),
        (
            "{\r\n\t'apps': [{'bundleID': 'a', 'products': [\r\n\t]}]\r\n}", "{'id':'y','type':'consumable'}",
            "{\r\n\t'apps': [{'bundleID': 'a', 'products': [\r\n\t\t{'id': 'y', 'type': 'consumable'}\r\n\t]}]\r\n}"
        ),
        (
            "{'apps': [{'bundleID': 'a', 'products': [\r\n  {\r\n    'id' : 'x',\r\n"
                + "    'type' : 'consumable'\r\n  }\r\n]}]}",
            "{'id': 'y', 'type': 'consumable', 'credits': {'hints': 1, 'coins': 2}, 'platforms': []}",
            "{'apps': [{'bundleID': 'a', 'products': [\r\n  {\r\n    'id' : 'x',\r\n"
                + "    'type' : 'consumable'\r\n  },\r\n  {\r\n    'id' : 'y',\r\n    'type' : 'consumable',\r\n"
                + "    'credits' : {'hints' : 1, 'coins' : 2},\r\n    'platforms' : []\r\n  }\r\n]}]}"
        ),
        (
            "{'apps': [{'bundleID': 'a', 'products': [{\n  'id': 'x',\n  'type': 'consumable',\n"
                + "  'credits': {\n    'hints': 1\n  }\n}]}]}",
            "{'id': 'y', 'type': 'consumable', 'credits': {'hints': 2}, 'platforms': ['iOS']}",
            "{'apps': [{'bundleID': 'a', 'products': [{\n  'id': 'x',\n  'type': 'consumable',\n"
                + "  'credits': {\n    'hints': 1\n  }\n}, {\n  'id': 'y',\n  'type': 'consumable',\n  'credits': {\n"
                + "    'hints': 2\n  },\n  'platforms': [\n    'iOS'\n  ]\n}]}]}"
        ),
        (
            "{'apps': [{'bundleID': 'a', 'products': [ { 'id': 'x', 'type': 'consumable' } ]}]}",
            "{'id':'y','type':'consumable','metadata':{'n':1.50e+3,'s':'\\u00e9\\/\u{E9}'}}",
            "{'apps': [{'bundleID': 'a', 'products': [ { 'id': 'x', 'type': 'consumable' }, { 'id': 'y', "
                + "'type': 'consumable', 'metadata': { 'n': 1.50e+3, 's': '\\u00e9\\/\u{E9}' } } ]}]}"
        ),
    ]

    @Test(arguments: additions.indices) func `A new entry looks like its neighbours`(index: Int) throws {
        let (old, entry, new) = Self.additions[index]
        #expect(try Self.put(old.quoted, entry.quoted) == new.quoted)
    }

    /// The products of an app, the one that is removed, and the others after that.
    static let removals: [(String, String, String)] = [
        ("[X]", "x", "[]"), ("[ X ]", "x", "[ ]"), ("[\n  X\n]", "x", "[\n]"),
        ("[X,Y]", "x", "[Y]"), ("[X,Y]", "y", "[X]"), ("[X, Y, Z]", "y", "[X, Z]"),
        ("[\n  X,\n  Y,\n  Z\n]", "x", "[\n  Y,\n  Z\n]"), ("[\n  X,\n  Y,\n  Z\n]", "y", "[\n  X,\n  Z\n]"),
        ("[\n  X,\n  Y,\n  Z\n]", "z", "[\n  X,\n  Y\n]"),
        ("[\n  X,\n\n  Y,\n  Z\n]", "y", "[\n  X,\n\n  Z\n]"), ("[\n  X,\n  Y,\n\n  Z\n]", "y", "[\n  X,\n\n  Z\n]"),
        ("[\n  X,\n  Y, Z\n]", "y", "[\n  X,\n  Z\n]"), ("[\r\n\tX\r\n\t, Y\r\n]", "x", "[\r\n\tY\r\n]"),
    ]

    @Test(arguments: removals.indices) func `A removed entry goes with its comma and its line`(index: Int) throws {
        let (old, id, new) = Self.removals[index]
        func file(_ products: String) -> String {
            let entries = ["X", "Y", "Z"].reduce(products) {
                $0.replacing($1, with: "{\"id\": \"\($1.lowercased())\", \"type\": \"consumable\"}")
            }
            return "{\"apps\": [{\"bundleID\": \"a\", \"products\": \(entries)}]}"
        }
        #expect(try Self.edit(file(old), .remove, ProductID(stored: id), app: "a") == file(new))
    }

    private static func notJSON(at byte: Int, in path: String = "", after name: String? = nil) -> CatalogRefusal {
        .unreadableEntry("\(path)not JSON (RFC 8259), at byte \(byte)" + (name.map { ", after \"\($0)\"" } ?? ""))
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// An entry, and what is reported about it.
    static let mistakes: [(String, CatalogRefusal)] = [
        ("", notJSON(at: 0)), ("{", notJSON(at: 1)), ("{'id': 'x'", notJSON(at: 10, after: "id")),
        ("{'id': 'x'} {}", notJSON(at: 12)),
        ("{'metadata': {'a': 1, 'b': 1-2.e}, 'type': 'consumable'}", notJSON(at: 28, in: "metadata: ", after: "b")),
        ("{'metadata': {'a': 1, 'a': 2}, 'type': 'consumable'}", .invalidProduct("metadata.a: occurs twice")),
        (
            "{'type': 'consumable',}",
            .unreadableEntry("a comma before a closing bracket, at byte 22, after \"type\"")
        ),
        (
            "{'metadata': {'a': [1,]}, 'type': 'consumable'}",
            .unreadableEntry("metadata.a: a comma before a closing bracket, at byte 22, after [0]")
        ),
        (
            "{'metadata': \(nested(32)), 'type': 'consumable'}",
            .unreadableEntry(
                "metadata\(String(repeating: "[0]", count: 31)): JSON nested deeper than 32 levels, at byte 44")
        ),
        ("'\\ud800'", .invalidProduct("should be an object")),
        ("7", .invalidProduct("should be an object")), ("[]", .invalidProduct("should be an object")),
        ("{}", .invalidProduct("type: missing")),
        ("{'id': 'y', 'type': 'consumable'}", .invalidProduct("id: should be \"x\"")),
        ("{'type': 'consumable', 'type': 'consumable'}", .invalidProduct("type: occurs twice")),
        ("{'type': 'consumable', 'colour': 1}", .invalidProduct("colour: unknown member")),
        (
            "{'type': 'non-consumable', 'bundles': ['hard-words', 'x']}",
            .invalidProduct("bundles[1]: there is no bundle \"x\"")
        ),
        ("{'type': 'non-renewing'}", .invalidProduct("duration: missing")),
        (
            "{'type': 'consumable', 'credits': {'hints': 1.5}}",
            .invalidProduct("credits.hints: a number that is not whole, or too large")
        ),
    ]

    @Test(arguments: mistakes.indices) func `A mistake is named by its path in the entry`(index: Int) throws {
        let (entry, refusal) = Self.mistakes[index]
        let file = "{'apps': [{'bundleID': 'a', 'products': []}]}".quoted
        #expect(throws: refusal) { try Self.put(file, entry.quoted, "x") }
    }

    @Test func `An edit that would break the file is refused`() throws {
        let entry = "{\"id\": \"x\", \"type\": \"consumable\", \"metadata\": {\"a\": \(Self.nested(28))}}"
        let refusal = try #require(throws: CatalogRefusal.self) {
            try Self.put("{\"apps\": [{\"bundleID\": \"a\", \"products\": []}]}", entry)
        }
        guard case .invalidProduct(let detail) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(detail.contains("with it the file is refused"))
    }

    @Test func `A file in UTF-16 is served but not edited`() throws {
        let text = "{\"apps\": [{\"bundleID\": \"a\", \"products\": [{\"id\": \"x\", \"type\": \"consumable\"}]}]}"
        for encoding in [String.Encoding.utf16LittleEndian, .utf16, .utf16BigEndian] {
            let file = try CatalogFile(
                try #require(text.data(using: encoding)), bundles: [], handlers: Server.standardHandlers)
            #expect(throws: CatalogRefusal.invalidCatalog("the file is not in UTF-8")) {
                try file.applying(
                    CatalogEdit(app: "a", product: "x", act: .remove), bundles: [], handlers: Server.standardHandlers)
            }
        }
    }
}

extension String {
    fileprivate var quoted: String { replacing("'", with: "\"") }
}
