import Foundation
import StrictJSON
import Testing

@testable import ServerCore

/// JSON merge patches: the examples of RFC 7396, appendix A, and what the file of a catalog adds.
@Suite struct MergePatchTests {
    @Test(arguments: [
        (#"{"a": "b"}"#, #"{"a": "c"}"#, #"{"a": "c"}"#), (#"{"a": "b"}"#, #"{"b": "c"}"#, #"{"a": "b", "b": "c"}"#),
        (#"{"a": "b"}"#, #"{"a": null}"#, "{}"), (#"{"a": "b", "b": "c"}"#, #"{"a": null}"#, #"{"b": "c"}"#),
        (#"{"a": ["b"]}"#, #"{"a": "c"}"#, #"{"a": "c"}"#), (#"{"a": "c"}"#, #"{"a": ["b"]}"#, #"{"a": ["b"]}"#),
        (#"{"a": {"b": "c"}}"#, #"{"a": {"b": "d", "c": null}}"#, #"{"a": {"b": "d"}}"#),
        (#"{"a": [{"b": "c"}]}"#, #"{"a": [1]}"#, #"{"a": [1]}"#), (#"["a", "b"]"#, #"["c", "d"]"#, #"["c", "d"]"#),
        (#"{"a": "b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a": "foo"}"#, "null", "null"),
        (#"{"a": "foo"}"#, #""bar""#, #""bar""#), (#"{"e": null}"#, #"{"a": 1}"#, #"{"e": null, "a": 1}"#),
        (#"[1, 2]"#, #"{"a": "b", "c": null}"#, #"{"a": "b"}"#),
        ("{}", #"{"a": {"bb": {"ccc": null}}}"#, #"{"a": {"bb": {}}}"#),
        // Names are compared by what they say, and numbers stay as they are written.
        (#"{"a": 1.50, "b": 1}"#, #"{"\u0062": 2e1}"#, #"{"a": 1.50, "b": 2e1}"#),
        ("{\n  \"a\": 1,\n  \"b\": {\"c\":2}\n}", #"{"b": {"d": 3}}"#, #"{"a": 1, "b": {"c": 2, "d": 3}}"#),
    ])
    func `A merge patch changes what it names`(target: String, patch: String, result: String) throws {
        let (old, change) = (try Self.part(target), try Self.part(patch))
        #expect(String(decoding: JSONPart.merging(change, into: old), as: UTF8.self) == result)
    }

    @Test func `A merge patch of nothing leaves out what it removes`() throws {
        let patch = try Self.part(#"{"a": {"b": null, "c": 1}, "d": null}"#)
        #expect(String(decoding: JSONPart.merging(patch, into: nil), as: UTF8.self) == #"{"a": {"c": 1}}"#)
    }

    private static func part(_ text: String) throws -> JSONPart {
        try StrictJSON(Data(text.utf8), CatalogFile.limits).root
    }
}
