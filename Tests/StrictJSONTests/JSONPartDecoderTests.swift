import Foundation
import InAppPurchase
import Testing

@testable import StrictJSON

/// The decoder decodes what Foundation's decodes, and refuses what Foundation's refuses.
@Suite struct JSONPartDecoderTests {
    private struct Everything: Codable, Equatable {
        enum Word: String, Codable { case one, two }

        var text: String
        var flag: Bool
        var small: Int8
        var unsigned: UInt64
        var number: Double
        var optional: Int?
        var words: [Word]
        var counts: [String: Int]
        var nested: [[Int]]
        var data: Data
        var url: URL
        var uuid: UUID
        var date: Date
    }

    private static let good = """
        {"text": "\\u00e9\\n\\ud83d\\ude00", "flag": true, "small": -128, "unsigned": 18446744073709551615,
         "number": -1.5e3, "optional": null, "words": ["one", "two"], "counts": {"a": 1.0, "b": 1e2}, "nested": [[1], []],
         "data": "AQI=", "url": "https://example.com/a", "uuid": "0b0e7c1e-0000-4000-8000-000000000001", "date": 7.5,
         "unknown": [{"x": 1}]}
        """

    private func decode(_ text: String) throws -> Everything {
        try StrictJSON(Data(text.utf8), JSONLimits(maximumMembers: 100)).decode()
    }

    @Test func `A document is decoded as Foundation decodes it`() throws {
        let expected = try JSONDecoder().decode(Everything.self, from: Data(Self.good.utf8))
        #expect(try decode(Self.good) == expected)
    }

    /// A wrong part in place of a value, and the path to it.
    static let changes: [(String, String, String)] = [
        ("\"flag\": true", "\"flag\": 1", "flag"), ("\"small\": -128", "\"small\": 128", "small"),
        ("\"small\": -128", "\"small\": 1.5", "small"), ("\"number\": -1.5e3", "\"number\": 1e999", "number"),
        ("18446744073709551615", "18446744073709551616", "unsigned"),
        ("\"optional\": null", "\"optional\": []", "optional"),
        ("\"two\"]", "\"three\"]", "words.Index 1"), ("\"b\": 1e2", "\"b\": \"2\"", "counts.b"),
        ("[[1], []]", "[[1], [2, null]]", "nested.Index 1.Index 1"), ("\"AQI=\"", "\"!\"", "data"),
        ("\\u00e9", "\\ud800", "text"), ("\"flag\": true, ", "", "flag"), ("\"text\": ", "\"Text\": ", "text"),
    ]

    @Test(arguments: changes.indices) func `A wrong value is refused with the path to it`(index: Int) throws {
        let (old, new, path) = Self.changes[index]
        let text = Self.good.replacing(old, with: new)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(Everything.self, from: Data(text.utf8)) }
        let error = try #require(throws: DecodingError.self) { try decode(text) }
        let keys: [any CodingKey] =
            switch error {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        #expect(keys.map(\.stringValue).joined(separator: ".") == path)
    }
}
