import Foundation
import Testing

/// The guide shows the same files that are built and tested here.
@Suite struct GuideTests {
    /// The files of the guide, and where they are in this checkout. Its `Package.swift` is nowhere: `make check-guide`
    /// builds it.
    static let files = [
        "Sources/FreeSubscription/FreeSubscription.swift": "Tests/FreeSubscription/FreeSubscription.swift",
        "Sources/gazette/main.swift": "Tests/FreeSubscriptionServer/main.swift",
        "Tests/FreeSubscriptionTests/FreeSubscriptionTests.swift":
            "Tests/FreeSubscriptionTests/FreeSubscriptionTests.swift",
        "products.json": "Tests/FreeSubscriptionServer/products.json",
    ]

    @Test(arguments: files)
    func `Each code block of the guide is the file that it shows`(shown: String, stands: String) throws {
        let block = try #require(try Self.blocks()[shown], "the guide has no block \(shown)")
        #expect(try block == Self.text(stands))
    }

    @Test func `Every file in the guide is compared with one of the checkout`() throws {
        #expect(try Set(Self.blocks().keys) == Set(Self.files.keys).union(["Package.swift"]))
    }

    /// The code blocks that show a file, by its path, which is after the language.
    private static func blocks() throws -> [String: String] {
        let fence = /```(?<language>[a-z]+) (?<path>\S+\.\S+)\n(?<text>(?:(?!```).*\n)*)```/
        return try text("docs/develop/adding-a-product-type.md").matches(of: fence).reduce(into: [:]) { blocks, match in
            blocks[String(match.output.path)] = String(match.output.text)
        }
    }

    private static func text(_ path: String) throws -> String {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: checkout.appending(path: path), encoding: .utf8)
    }
}
