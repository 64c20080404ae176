import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// The codes in docs/openapi.yaml are those that the sources answer with and those on the errors page. The script
/// scripts/openapi/words.py also compares their statuses, the reasons and the outcomes.
@Suite struct OpenAPIWordsTests {
    /// Only commands refuse with it.
    private static let notOnTheWire: Set = ["name_taken"]

    @Test func `The codes of the description are those of the sources and of the errors page`() throws {
        let known = try Self.values(ofSchema: "Code")
        #expect(known.count > 30)
        let answered = try Self.codesInSources().subtracting(Self.notOnTheWire)
        #expect(known.symmetricDifference(answered).sorted() == [], "docs/openapi.yaml and the sources differ")
        let page = try OpenAPIOperations.text(of: "docs/app/errors.md")
        let reported = Set(page.matches(of: #/(?m)^\| \d{3} \| `([a-z_]+)` \|/#).map { String($0.1) })
        #expect(known.symmetricDifference(reported).sorted() == [], "docs/openapi.yaml and docs/app/errors.md differ")
    }

    @Test func `The remedies of the description are those of the sources`() throws {
        #expect(try Self.values(ofSchema: "Remedy") == Set(TransferRemedy.allCases.map(\.rawValue)))
    }

    /// The known values of a schema, each on a line of its own or all in brackets.
    private static func values(ofSchema name: String) throws -> Set<String> {
        let lines = try OpenAPIOperations.text(of: "docs/openapi.yaml").split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "    \(name):"))
        let schema = lines[(start + 1)...].prefix { $0.hasPrefix("      ") }
        let listed = schema.compactMap { $0.wholeMatch(of: #/ {12}- (\w+)/#).map { String($0.1) } }
        let inline = schema.compactMap { $0.firstMatch(of: #/enum: \[([\w, ]+)\]/#)?.1 }
            .flatMap { $0.split(separator: ", ").map(String.init) }
        return Set(listed + inline)
    }

    /// The codes of problems: `Problem(.status, "code"` and the like. Of routes the method stands so.
    private static func codesInSources() throws -> Set<String> {
        var codes: Set<String> = []
        for folder in [
            "Sources/ServerHTTP", "Sources/ServerCore", "Sources/AdminPages", "Sources/Content", "Sources/Ledger",
        ] {
            let files = try #require(FileManager.default.enumerator(atPath: Project.folder(folder)))
            for case let file as String in files where file.hasSuffix(".swift") {
                let text = try OpenAPIOperations.text(of: "\(folder)/\(file)")
                let made = text.matches(
                    of: #/\(\s*\.(?!(?:get|put|post|patch|delete),)[a-zA-Z]+,\s*"([a-z]+(?:_[a-z]+)*)"/#
                ).map(\.1)
                let fixed = text.matches(of: #/var status = \d+\s+var code = "(\w+)"/#).map(\.1)
                codes.formUnion((made + fixed).map(String.init))
            }
        }
        return codes
    }
}
