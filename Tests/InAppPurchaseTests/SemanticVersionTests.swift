import Foundation
import TestSupport
import Testing

@testable import InAppPurchase

@Suite struct SemanticVersionTests {
    /// §11.4 and more, lowest first.
    static let ascending = [
        "0.0.0-0", "0.0.0", "0.0.1", "0.1.0", "0.9.0", "0.10.0", "1.0.0--", "1.0.0-alpha", "1.0.0-alpha.1",
        "1.0.0-alpha.2", "1.0.0-alpha.10", "1.0.0-alpha.-1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
        "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1-0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        "9223372036854775807.0.0",
    ]

    @Test func `Versions are in the order of precedence`() throws {
        let versions = try Self.ascending.map { try #require(SemanticVersion($0), "\($0)") }
        for (low, left) in versions.enumerated() {
            for (high, right) in versions.enumerated() {
                #expect((left < right) == (low < high), "\(left) \(right)")
                #expect((left == right) == (low == high), "\(left) \(right)")
            }
        }
    }

    @Test(arguments: ["1.0.0+a", "1.0.0+001", "1.0.0+20130313144700.sha-5114f85", "1.0.0+-"])
    func `Build metadata does not affect precedence`(_ text: String) throws {
        let (version, plain) = (try #require(SemanticVersion(text)), try #require(SemanticVersion("1.0.0")))
        #expect(version == plain && !(version < plain) && !(plain < version))
        #expect(version.hashValue == plain.hashValue && version.description == text && !version.isPreRelease)
    }

    @Test(arguments: [
        "", ".", "1", "1.0", "1.0.0.0", "1..0", "1.x.0.0", "1.0..0", "01.0.0", "1.00.0", "1.0.01", "v1.0.0",
        "1.0.0 ",
        " 1.0.0", "-1.0.0",
        "+1.0.0", "1.0.+0", "1.0.0-", "1.0.0+", "1.0.0-a..b", "1.0.0-01", "1.0.0-a.01", "1.0.0-é", "1.0.0+a+b",
        "1.0.0+a..b", "1.0.0-a_b", "1.0.x", "١.0.0", "0x1.0.0", "9223372036854775808.0.0", "../1.0.0", "1.0.0/..",
        "1.0.0-9223372036854775808", "18446744073709551616.0.0", "1.0.0\n", "1.0.0\0",
    ])
    func `A malformed version is refused`(_ text: String) { #expect(SemanticVersion(text) == nil) }

    @Test(arguments: [
        ("2", "2.0.0"), ("2.0", "2.0.0"), ("1.10", "1.10.0"), ("1.2.3", "1.2.3"), ("2026.01.07", "2026.1.7"),
        ("00", "0.0.0"), ("1-beta", "1.0.0-beta"), ("1.2-rc.1+45", "1.2.0-rc.1+45"), ("1.2.0-a-b", "1.2.0-a-b"),
        ("1+5", "1.0.0+5"), ("9223372036854775807", "9223372036854775807.0.0"),
    ])
    func `An app version may leave out zeros`(text: String, expected: String) {
        #expect(SemanticVersion(appVersion: text)?.description == expected)
    }

    @Test(arguments: [
        "", " ", ".", "1.", ".1", "1..2", "1.2.3.4", "v1", "1.x", "one", "1 ", " 1", "-1", "+1", "1.+2", "1,2",
        "1.2-",
        "1.2+", "1.2-01", "1.2-a..b", "1.2-é", "١.٢", "1\u{301}.2", "9223372036854775808", "1.2\0", "1.2\n",
        String(repeating: ".", count: 10_000), String(repeating: "9", count: 10_000),
    ])
    func `A malformed app version is refused`(_ text: String) { #expect(SemanticVersion(appVersion: text) == nil) }

    @Test func `A version is a string in JSON`() throws {
        let versions = try JSONDecoder().decode([SemanticVersion].self, from: Data(#"["1.0.0-rc.1+b"]"#.utf8))
        #expect(versions.map(\.description) == ["1.0.0-rc.1+b"] && versions.allSatisfy(\.isPreRelease))
        #expect(try String(decoding: JSONEncoder().encode(versions), as: UTF8.self) == #"["1.0.0-rc.1+b"]"#)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([SemanticVersion].self, from: Data(#"["1.0"]"#.utf8))
        }
    }

    @Test func `No text traps when read as a version`() {
        var generator = SeededGenerator(seed: 9)
        let pieces = ["0", "1", ".", "-", "+", "a", "99999999999999999999", "é", " ", "1.2.3", "1.0.0-"]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            if let version = SemanticVersion(text) { #expect(version.description == text && version == version) }
            if let version = SemanticVersion(appVersion: text) {
                #expect(SemanticVersion(version.description) == version && version >= .lowest)
            } else {
                #expect(SemanticVersion(text) == nil, "whatever is a semantic version is one of an app: \(text)")
            }
        }
    }
}
