import HTTPTypes
import Hummingbird
import Synchronization

/// The methods that each path of the server has, for `Allow` (RFC 9110 §10.2.1).
final class RouteMethods: Sendable {
    private struct Entry {
        /// Parts of the path; nil stands for any.
        var parts: [Substring?]
        var methods: Set<HTTPRequest.Method>

        /// How many parts it names.
        var named: Int { parts.count { $0 != nil } }
    }

    private final class Table: Sendable {
        let entries: [Entry]

        init(_ entries: [Entry]) { self.entries = entries }
    }

    /// What the framework calls a request that no route takes.
    private static let noRoute = "NotFound"

    private let table = AtomicLazyReference<Table>()

    /// Tells which routes there are; once, before the first request.
    func declare(_ routes: some Sequence<(template: String, method: HTTPRequest.Method)>) {
        var methods: [[Substring?]: Set<HTTPRequest.Method>] = [:]
        for route in routes {
            let parts = Self.parts(of: route.template).map { $0.first == "{" ? nil : $0 }
            // The framework answers HEAD wherever there is GET.
            methods[parts, default: []].formUnion(route.method == .get ? [.get, .head] : [route.method])
        }
        _ = table.storeIfNil(Table(methods.map { Entry(parts: $0.key, methods: $0.value) }))
    }

    /// The methods of the route that the path names; where several do, of the one that names more of it. Empty for a path
    /// that is none.
    func allowed(_ path: String) -> Set<HTTPRequest.Method> {
        let parts = Self.parts(of: path)
        let matches = (table.load()?.entries ?? []).filter { entry in
            entry.parts.count == parts.count && zip(entry.parts, parts).allSatisfy { $0 == nil || $0 == $1 }
        }
        return matches.max { $0.named < $1.named }?.methods ?? []
    }

    /// 405 for a request that no route takes because of its method alone, whatever the framework makes of it; nil for
    /// every other one.
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

    /// As the framework divides a path: slashes at its end, and several in a row, count for nothing.
    private static func parts(of path: String) -> [Substring] { path.split(separator: "/") }
}
