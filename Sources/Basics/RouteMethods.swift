import Synchronization

/// The methods of each path of an HTTP server, for `Allow` (RFC 9110 §10.2.1).
package final class RouteMethods: Sendable {
    private struct Entry {
        /// The parts of the path; `nil` matches any.
        var parts: [Substring?]
        var methods: Set<String>

        /// The number of literal parts.
        var named: Int { parts.count { $0 != nil } }
    }

    private final class Table: Sendable {
        let entries: [Entry]

        init(_ entries: [Entry]) { self.entries = entries }
    }

    private let table = AtomicLazyReference<Table>()

    package init() {}

    /// Sets the routes; call it once, before the first request.
    ///
    /// - Parameter routes: a part of a template that begins with a brace matches any.
    package func declare(_ routes: some Sequence<(template: String, method: String)>) {
        var methods: [[Substring?]: Set<String>] = [:]
        for route in routes {
            let parts = Self.parts(of: route.template).map { $0.first == "{" ? nil : $0 }
            methods[parts, default: []].insert(route.method)
        }
        _ = table.storeIfNil(Table(methods.map { Entry(parts: $0.key, methods: $0.value) }))
    }

    /// The methods of the route that matches the path, sorted, with commas between them; of several routes that match,
    /// those of the one with the most literal parts. `nil` if none does.
    package func allowed(_ path: String) -> String? {
        let parts = Self.parts(of: path)
        let matches = (table.load()?.entries ?? []).filter { entry in
            entry.parts.count == parts.count && zip(entry.parts, parts).allSatisfy { $0 == nil || $0 == $1 }
        }
        return matches.max { $0.named < $1.named }?.methods.sorted().joined(separator: ", ")
    }

    /// Splits a path as the framework does: empty parts, from slashes at the end or several in a row, are ignored.
    private static func parts(of path: String) -> [Substring] { path.split(separator: "/") }
}
