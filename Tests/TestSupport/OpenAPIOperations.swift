import Foundation

/// The operations of an OpenAPI description or of a router, such as `GET /v1/accounts/{account}`.
package enum OpenAPIOperations {
    /// HEAD is described only where there is no GET, since every GET has it.
    private static let methods: Set = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]

    /// The text of a file of the project.
    ///
    /// - Parameter path: from the project's folder.
    package static func text(of path: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// Reads paths and methods by the layout of the file: a path alone on a line with two spaces before it, a method
    /// with four. `make check-api-docs` fails if the file is laid out otherwise.
    package static func described(in text: String) -> Set<String> {
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
        return withoutHeadOfGet(operations)
    }

    /// Those of a router.
    package static func routed(_ routes: [(method: String, path: String)]) -> Set<String> {
        withoutHeadOfGet(routes.map { "\($0.method) \($0.path)" })
    }

    private static func withoutHeadOfGet(_ operations: [String]) -> Set<String> {
        let all = Set(operations)
        return all.filter { !$0.hasPrefix("HEAD ") || !all.contains("GET " + $0.dropFirst("HEAD ".count)) }
    }
}
