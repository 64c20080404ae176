import HTTPTypes
import Hummingbird

/// The routes of administrators, each of which declares what may stand behind the question mark.
///
/// Anything else is refused: a misspelt filter would answer with everything. A route that declares nothing takes nothing,
/// so that none can forget it.
struct AdminRouter {
    typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

    private let routes: RouterGroup<ServerContext>

    init(_ routes: RouterGroup<ServerContext>) { self.routes = routes }

    func group(_ path: RouterPath) -> AdminRouter { AdminRouter(routes.group(path)) }

    /// - Parameter query: the members that the handler reads.
    func on(
        _ path: RouterPath = "", _ method: HTTPRequest.Method, query: Set<String> = [], use handler: @escaping Handler
    ) {
        routes.on(path, method: method) { request, context in
            try request.refuseUnknownMembers(knowing: query)
            return try await handler(request, context)
        }
    }

    func get(_ path: RouterPath = "", query: Set<String> = [], use handler: @escaping Handler) {
        on(path, .get, query: query, use: handler)
    }

    func put(_ path: RouterPath = "", query: Set<String> = [], use handler: @escaping Handler) {
        on(path, .put, query: query, use: handler)
    }

    func post(_ path: RouterPath = "", query: Set<String> = [], use handler: @escaping Handler) {
        on(path, .post, query: query, use: handler)
    }

    func patch(_ path: RouterPath = "", query: Set<String> = [], use handler: @escaping Handler) {
        on(path, .patch, query: query, use: handler)
    }

    func delete(_ path: RouterPath = "", query: Set<String> = [], use handler: @escaping Handler) {
        on(path, .delete, query: query, use: handler)
    }
}

extension Request {
    /// So many of the names, and so much of each, are told: enough to find the mistake.
    private static let maximumNames = 8
    private static let maximumNameLength = 64

    /// Names are compared as they stand, percent escapes and all, which is how the handlers look them up.
    ///
    /// - Throws: 422 that names the members that are not among `known`.
    fileprivate func refuseUnknownMembers(knowing known: Set<String>) throws {
        let unknown = Set(uri.queryParameters.map { String($0.key) }.filter { !$0.isEmpty }).subtracting(known)
        guard !unknown.isEmpty else { return }
        let names = unknown.sorted().prefix(Self.maximumNames).map { "\"\($0.prefix(Self.maximumNameLength))\"" }
        let taken = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
        throw Problem(
            .unprocessableContent, "invalid_request", "Unknown query parameters",
            detail: "unknown: \(names.joined(separator: ", ")); known: \(taken)")
    }
}
