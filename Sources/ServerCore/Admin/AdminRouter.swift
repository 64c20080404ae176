import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
package import ServerHTTP

/// The routes of the admin API, each of which declares its query parameters and what it is about.
///
/// Any other parameter is refused, since a misspelt filter would return everything. A route that declares none accepts
/// none, and one that does not say what it is about refuses tokens for some apps, so that no route can forget it.
struct AdminRouter {
    private let routes: RouteGroup

    /// - Parameter routes: authenticates administrators.
    init(_ routes: RouteGroup) { self.routes = routes }

    func group(_ path: String) -> AdminRouter { AdminRouter(routes.group(path)) }

    /// A route that changes something refuses tokens of a lower role with 403.
    ///
    /// - Parameters:
    ///   - role: the lowest role that may call it, if it changes something.
    ///   - query: the query parameters that the handler reads.
    ///   - subject: what it is about, which decides whether a token for some apps may call it.
    func on(
        _ method: HTTPRequest.Method, _ path: String, _ facts: RouteFacts, from role: AdminToken.Role = .write,
        query: Set<String> = [], about subject: RouteSubject = .everything, use handler: @escaping RouteGroup.Handler
    ) {
        let changes = method != .get && method != .head
        routes.on(method, path, facts, for: .administrators(mayChange: changes)) { request, context in
            let administrator = try context.administrator
            if changes { try administrator.require(role) }
            try subject.require(administrator, context)
            try request.refuseUnknownMembers(knowing: query)
            return try await handler(request, context)
        }
    }
}

extension Request {
    /// The error message names this many parameters, and this many characters of each: enough to find the error.
    private static let maximumNames = 8
    private static let maximumNameLength = 64

    /// Compares names without decoding percent escapes, which is how the handlers look them up.
    ///
    /// - Throws: 422 that names the parameters that are not among `known`.
    fileprivate func refuseUnknownMembers(knowing known: Set<String>) throws {
        let unknown = Set(uri.queryParameters.map { String($0.key) }.filter { !$0.isEmpty }).subtracting(known)
        guard !unknown.isEmpty else { return }
        let names = unknown.sorted().prefix(Self.maximumNames).map { "\"\($0.prefix(Self.maximumNameLength))\"" }
        let list = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
        throw Problem(
            .unprocessableContent, "invalid_request", "Unknown query parameters",
            detail: "unknown: \(names.joined(separator: ", ")); known: \(list)")
    }
}

/// The subject of a route or a page for administrators, which decides whether a token for some apps may call it.
package enum RouteSubject: Sendable {
    /// No single app. Tokens for some apps are refused.
    case everything
    /// The app in the path, `{bundleID}`. It must be one of the token's.
    case appInPath
    /// The handler narrows what it reads or does to the token's apps.
    case narrowed

    /// - Throws: 403 if the administrator's token is not for it; 404 for a path that names no app.
    package func require(_ administrator: Administrator, _ context: ServerContext) throws {
        switch self {
        case .everything: try administrator.requireEverything()
        case .appInPath:
            guard administrator.reach != .everything else { return }
            try administrator.require(try context.pathPart("bundleID", as: BundleID.self))
        case .narrowed: return
        }
    }
}
