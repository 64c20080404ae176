import Basics
import HTTPTypes
package import Hummingbird

extension RouteMethods {
    /// The framework's name for the endpoint of a request that matches no route.
    private static let noRoute = "NotFound"

    /// The problem 405 for a request that matches a route except for its method; `nil` for every other request.
    package func refusal(of request: Request, _ context: ServerContext) -> Problem? {
        guard context.endpointPath == Self.noRoute, let methods = allowed(request.uri.path) else { return nil }
        var problem = Problem(
            .methodNotAllowed, "method_not_allowed", "Method not allowed", detail: "Allowed: \(methods).")
        problem.headers[.allow] = methods
        return problem
    }
}
