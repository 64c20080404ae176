package import HTTPTypes
package import Hummingbird

/// Adds routes with their facts, below one path and for the same callers.
package struct RouteGroup {
    package typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

    private let routes: RouterGroup<ServerContext>
    private let path: String
    private let callers: Callers
    private let table: RouteTable

    /// - Parameters:
    ///   - middleware: authenticates the callers; `nil` if the routes do.
    package init(
        _ router: Router<ServerContext>, _ table: RouteTable, path: String = "", for callers: Callers = .everybody,
        by middleware: (any MiddlewareProtocol<Request, Response, ServerContext>)? = nil
    ) {
        let group = router.group(RouterPath(path))
        routes = middleware.map { group.add(middleware: $0) } ?? group
        self.path = path
        self.callers = callers
        self.table = table
    }

    private init(_ routes: RouterGroup<ServerContext>, path: String, _ group: RouteGroup) {
        self.routes = routes
        self.path = path
        callers = group.callers
        table = group.table
    }

    package func group(_ path: String) -> RouteGroup {
        RouteGroup(routes.group(RouterPath(path)), path: "\(self.path)/\(path)", self)
    }

    /// - Parameters:
    ///   - path: below the group's; empty for that path itself.
    ///   - callers: `nil` for those of the group.
    package func on(
        _ method: HTTPRequest.Method, _ path: String, _ facts: RouteFacts, for callers: Callers? = nil,
        use handler: @escaping Handler
    ) {
        routes.on(RouterPath(path), method: method, use: handler)
        let template = RouterPath("\(self.path)/\(path)").description
        table.add(.init(template: template, method: method, facts: facts, callers: callers ?? self.callers))
    }
}
