package import Basics
import HTTPTypes
package import Hummingbird
import Synchronization

/// The facts of all routes of a listener, by path and method.
package final class RouteTable: Sendable {
    package struct Route: Sendable {
        package var template: String
        var method: HTTPRequest.Method
        var facts: RouteFacts
        var callers: Callers
    }

    private final class Index: Sendable {
        let byTemplate: [String: [Route]]

        init(_ routes: [Route]) { byTemplate = Dictionary(grouping: routes, by: \.template) }
    }

    /// The methods of each path.
    package let methods = RouteMethods()
    private let added = Mutex<[Route]>([])
    private let index = AtomicLazyReference<Index>()

    package init() {}

    package var routes: [Route] { added.withLock { $0 } }

    package func add(_ route: Route) { added.withLock { $0.append(route) } }

    /// Makes the routes known to requests; call it once, after the last route.
    package func complete() {
        let routes = routes
        _ = index.storeIfNil(Index(routes))
        methods.declare(
            routes.flatMap { route in
                (route.method == .get ? [.get, .head] : [route.method]).map { (route.template, $0.rawValue) }
            })
    }

    /// The facts of the route that a request matched; `nil` if it matched none. A GET answers HEAD too.
    package func facts(of request: Request, _ context: ServerContext) -> RouteFacts? {
        let routes = context.endpointPath.flatMap { index.load()?.byTemplate[$0] } ?? []
        return
            (routes.first { $0.method == request.method }
            ?? (request.method == .head ? routes.first { $0.method == .get } : nil))?.facts
    }
}
