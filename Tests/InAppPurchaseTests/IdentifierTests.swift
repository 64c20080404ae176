import Foundation
import InAppPurchase
import TestSupport
import Testing

/// Identifiers are types of their own in Swift and plain texts everywhere else: rows that were stored as texts stay
/// readable, and new ones have the same bytes.
@Suite struct IdentifierTests {
    private struct Row: Codable, Equatable {
        var app: BundleID
        var product: ProductID?
        var balances: [Currency: Int]
        var bundles: [BundleName: [TransactionID]]
        var account: AccountID
    }

    private struct PlainRow: Codable {
        var app: String
        var product: String?
        var balances: [String: Int]
        var bundles: [String: [String]]
        var account: UUID
    }

    /// The last row is what no catalog may have today, but an old ledger may.
    @Test(arguments: ["hints", "éclair", "日本", "", "a\u{0}b\n"])
    func `An identifier is encoded as its text`(_ text: String) throws {
        let uuid = try #require(UUID(uuidString: "0B0E7C1E-0000-4000-8000-00000000000A"))
        let row = Row(
            app: BundleID(stored: text), product: ProductID(stored: text), balances: [Currency(stored: text): 3],
            bundles: [BundleName(stored: text): [TransactionID(stored: text)]], account: AccountID(uuid))
        let plain = PlainRow(app: text, product: text, balances: [text: 3], bundles: [text: [text]], account: uuid)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let bytes = try encoder.encode(row)
        #expect(try bytes == encoder.encode(plain))
        #expect(try JSONDecoder().decode(Row.self, from: bytes) == row)
    }

    @Test(arguments: [
        ("", IdentifierError.empty), ("a\u{0}", .controlCharacter), ("a\nb", .controlCharacter),
        ("\u{2028}", .controlCharacter),
    ])
    func `An empty identifier, or one with control characters, is refused`(_ text: String, _ error: IdentifierError) {
        #expect(throws: error) { try ProductID(checking: text) }
        #expect(ProductID(stored: text).text == text)
    }

    @Test func `Every other text is accepted as an identifier`() throws {
        for text in ["a", "com.example.app", "🎮", " ", "é"] {
            #expect(try BundleID(checking: text) == BundleID(stored: text))
        }
    }

    @Test func `Identifiers are sorted as their texts`() {
        let texts = ["b", "a", "é", "B", "10", "9", ""]
        #expect(texts.map { Currency(stored: $0) }.sorted().map(\.text) == texts.sorted())
    }

    @Test func `An account ID is read in either case`() throws {
        let account = try #require(AccountID(text: "0B0E7C1E-0000-4000-8000-00000000000A"))
        #expect(account == AccountID(text: "0b0e7c1e-0000-4000-8000-00000000000a"))
        #expect("\(account)" == "0b0e7c1e-0000-4000-8000-00000000000a")
        #expect(AccountID(text: "0b0e7c1e") == nil)
    }

    /// Every UUID is read from its text, and no text with a character too many, too few or changed is one.
    @Test func `A text that is no UUID is no account ID`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            #expect(AccountID(text: uuid.uuidString)?.uuid == uuid)
            #expect(AccountID(text: uuid.uuidString.lowercased())?.uuid == uuid)
            #expect(AccountID(uuid).text == uuid.uuidString.lowercased())
        }
        let text = "0b0e7c1e-0000-4000-8000-00000000000a"
        for place in 0..<36 {
            for wrong in ["", "g", "-", " ", "+", "é", "0-", "\0", "/", ":", "@", "`", "G"] {
                let changed = text.prefix(place) + wrong + text.dropFirst(place + 1)
                #expect((AccountID(text: String(changed)) != nil) == (changed == text), "\(changed)")
            }
        }
        for other in ["", text + " ", " " + text, text + "0", "{\(text)}", text.replacing("-", with: "")] {
            #expect(AccountID(text: other) == nil, "\(other)")
        }
    }
}
