import Foundation

/// The parts of a request that are signed.
package struct SignableRequest: Sendable {
    package var method: String
    /// The escaped path, with its leading slash.
    package var path: String
    /// The query, not escaped.
    package var query: [(name: String, value: String)] = []
    /// The headers with names in lower case, each once, including `host`.
    package var headers: [(name: String, value: String)]

    var signedHeaders: String { headers.map(\.name).sorted().joined(separator: ";") }

    /// The escaped query, sorted by name.
    var canonicalQuery: String {
        query.map { (name: $0.name.uriEncoded(), value: $0.value.uriEncoded()) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    func canonical(sha256: String) -> String {
        let lines = headers.sorted { $0.name < $1.name }.map { header in
            "\(header.name):\(header.value.trimmingCharacters(in: .whitespaces))\n"
        }
        return [method, path, canonicalQuery, lines.joined(), signedHeaders, sha256].joined(separator: "\n")
    }
}
