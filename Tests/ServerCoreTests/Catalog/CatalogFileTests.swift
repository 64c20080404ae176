import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// A error in `products.json` stops the start, and the message says where it is.
@Suite struct CatalogFileTests {
    static func file(_ product: String) -> String {
        """
        {"apps": [{"bundleID": "com.example.hangman", "products": [
          {"id": "tenhints", "type": "consumable", "credits": {"hints": 10}}, \(product)]}]}
        """
    }

    /// A second product, where in it the error is, and a word of what is reported.
    static let products: [(String, String, String)] = [
        ("{'id': 'a', 'type': 'lootbox'}", ".type", "lootbox"),
        ("{'id': 'a', 'type': 'consumable', 'credit': {}}", ".credit", "unknown member"),
        ("{'id': 'a', 'type': 'non-renewing'}", ".duration", "missing"),
        ("{'id': 'a', 'type': 'non-renewing', 'duration': 'P1X'}", ".duration", "P1M"),
        ("{'type': 'consumable'}", ".id", "missing"),
        ("{'id': 'a', 'type': 'non-consumable', 'bundles': ['hard-words', 'x']}", ".bundles[1]", "bundle \"x\""),
        ("{'id': 'a', 'type': 'consumable', 'credits': {'hints': 0}}", ".credits", "whole numbers"),
        ("{'id': 'a', 'type': 'consumable', 'credits': {'hints': 1.5}}", "", "whole"),
        ("{'id': 'a', 'type': 'consumable', 'availableFrom': 'soon'}", ".availableFrom", "RFC 3339"),
        ("7", "", "Expected"),
    ]
    /// A file, where in it the error is, and a word of what is reported.
    static let files: [(String, String, String)] = [
        (file("{'id': 'tenhints', 'type': 'consumable'}"), "apps[0].products", "occurs twice"),
        ("{'apps': [{'products': []}]}", "apps[0].bundleID", "missing"),
        ("{'apps': [{'bundleID': 'a', 'products': [], 'sandbox': 'all'}]}", "apps[0].sandbox", "testers"),
        ("{'apps': [{'bundleID': 'a', 'products': []}, {'bundleID': 'a', 'products': []}]}", "apps", "twice"),
        ("{'apps': [{'bundleID': 'a', 'products': [],}]}", "apps[0]: a comma before a closing bracket", "at byte 43"),
        (file("{'id': 'a', 'type': 'consumable'},"), "apps[0].products: a comma before", "(line 2, column 105)"),
        (
            file("\n{'id': 'a',\n'type': 'consumable', 'id': 'b'}"), "apps[0].products[1].id: occurs twice",
            "(line 4, column 23)"
        ),
        ("{'apps': [], 'apps': []}", "apps", "occurs twice"),
        ("{}", "apps", "missing"), ("[]", "", "Expected"), ("", "", "JSON"), ("{'apps': [", "", "JSON"),
        ("\u{0}", "", "JSON"), (String(repeating: "[", count: 100_000), "", "JSON"),
    ]
    static let mistakes = products.map { (file($0), "apps[0].products[1]\($1)", $2) } + files

    @Test(arguments: mistakes.indices)
    func `A mistake in the catalog is reported with the file and the path`(index: Int) async throws {
        let (text, place, words) = Self.mistakes[index]
        let message = try await Self.message(text.replacing("'", with: "\""))
        #expect(message.contains(".json: \(place)") && message.contains(words), "\(message)")
        #expect(!message.contains("\n"), "\(message)")
    }

    @Test func `A catalog that is missing, a folder or too large is reported`() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        for path in [folder + "/no-such-file.json", folder] {
            let failure = await #expect(throws: CommandError.self) {
                try await FileCatalog(path: path).load(bundles: [], handlers: Server.standardHandlers)
            }
            #expect(failure?.description.hasPrefix("\(path): cannot be read") == true, "\(String(describing: failure))")
        }
        let huge = String(repeating: " ", count: CatalogFile.maximumBytes + 1)
        #expect(try await Self.message(huge).contains("larger than \(CatalogFile.maximumBytes) bytes"))
    }

    /// The message to the operator about such a file.
    private static func message(_ text: String) async throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let failure = await #expect(throws: CommandError.self) {
            try await FileCatalog(path: path).load(bundles: ["hard-words"], handlers: Server.standardHandlers)
        }
        let message = failure?.description ?? ""
        #expect(message.hasPrefix(path + ": "))
        return message
    }
}
