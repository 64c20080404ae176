import Foundation
import Hummingbird
import Testing

@testable import QuartermasterServer

/// docs/openapi.yaml describes every route of the server, and no other.
@Suite struct OpenAPIParityTests {
    /// HEAD is described where there is no GET, since every GET has it.
    private static let methods: Set = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]

    @Test func everyRouteIsDescribedAndNoOther() async throws {
        let described = Self.withoutHeadOfGet(Self.operations(in: try Self.description))
        try await World.run { world in
            let routes = Self.withoutHeadOfGet(
                world.assembly.routes.router.routes.map { "\($0.method) \($0.path)" })
            #expect(routes.subtracting(described).sorted() == [], "not described in docs/openapi.yaml")
            #expect(described.subtracting(routes).sorted() == [], "described in docs/openapi.yaml, and no route")
        }
    }

    private static var description: String {
        get throws { try String(contentsOfFile: Project.folder("docs/openapi.yaml"), encoding: .utf8) }
    }

    /// Reads paths and methods by the layout of the file: a path alone on a line with two spaces before it, a method with
    /// four. `make check-api-docs` fails if the file is laid out otherwise.
    private static func operations(in text: String) -> [String] {
        var (operations, path, isInPaths) = ([String](), "", false)
        for line in text.split(separator: "\n") {
            if !line.hasPrefix(" ") {
                isInPaths = line == "paths:"
            } else if isInPaths, let match = line.wholeMatch(of: #/  (/\S*):/#) {
                path = String(match.1)
            } else if isInPaths, let match = line.wholeMatch(of: #/    ([a-z]+):/#) {
                let method = match.1.uppercased()
                if methods.contains(method) { operations.append("\(method) \(path)") }
            }
        }
        return operations
    }

    private static func withoutHeadOfGet(_ operations: [String]) -> Set<String> {
        let all = Set(operations)
        return all.filter { !$0.hasPrefix("HEAD ") || !all.contains("GET " + $0.dropFirst("HEAD ".count)) }
    }
}
