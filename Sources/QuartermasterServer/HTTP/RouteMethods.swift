import HTTPTypes
import Hummingbird
import Synchronization

/// The methods of each path of the server, for `Allow` (RFC 9110 §10.2.1).
final class RouteMethods: Sendable {
    private struct Entry {
        /// The parts of the path; `nil` matches any.
        var parts: [Substring?]
        var methods: Set<HTTPRequest.Method>

        /// The number of literal parts.
        var named: Int { parts.count { $0 != nil } }
    }

    private final class Table: Sendable {
        let entries: [Entry]

        init(_ entries: [Entry]) { self.entries = entries }
    }

    /// The framework's name for the endpoint of a request that matches no route.
    private static let noRoute = "NotFound"

    private let table = AtomicLazyReference<Table>()

    /// Sets the routes; call it once, before the first request.
    func declare(_ routes: some Sequence<(template: String, method: HTTPRequest.Method)>) {
        var methods: [[Substring?]: Set<HTTPRequest.Method>] = [:]
        for route in routes {
            let parts = Self.parts(of: route.template).map { $0.first == "{" ? nil : $0 }
            // The framework answers HEAD if there is GET.
            methods[parts, default: []].formUnion(route.method == .get ? [.get, .head] : [route.method])
        }
        _ = table.storeIfNil(Table(methods.map { Entry(parts: $0.key, methods: $0.value) }))
    }

    /// The methods of the route that matches the path; if several match, of the one with the most literal parts. Empty
    /// if none does.
    func allowed(_ path: String) -> Set<HTTPRequest.Method> {
        let parts = Self.parts(of: path)
        let matches = (table.load()?.entries ?? []).filter { entry in
            entry.parts.count == parts.count && zip(entry.parts, parts).allSatisfy { $0 == nil || $0 == $1 }
        }
        return matches.max { $0.named < $1.named }?.methods ?? []
    }

    /// The problem 405 for a request that matches a route except for its method; `nil` for every other request.
    func refusal(of request: Request, _ context: ServerContext) -> Problem? {
        guard context.endpointPath == Self.noRoute else { return nil }
        let methods = allowed(request.uri.path)
        guard !methods.isEmpty else { return nil }
        let list = methods.map(\.rawValue).sorted().joined(separator: ", ")
        var problem = Problem(
            .methodNotAllowed, "method_not_allowed", "Method not allowed", detail: "Allowed: \(list).")
        problem.headers[.allow] = list
        return problem
    }

    /// Splits a path as the framework does: empty parts, from slashes at the end or several in a row, are ignored.
    private static func parts(of path: String) -> [Substring] { path.split(separator: "/") }
}
