import HTTPTypes
import Hummingbird

/// Refuses requests from web pages of other sites.
///
/// Such a page may send requests to any port of the developer's machine: under its own name, which the browser states
/// in `Origin` (RFC 6454 §7), or, if its author points the name at this machine (DNS rebinding), under that name in
/// `Host`.
struct CallerMiddleware: RouterMiddleware {
    typealias Context = StoreRequestContext

    let hosts: OwnHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let authority = request.head.authority?.lowercased() ?? ""
        guard hosts.contains(authority: authority) else {
            throw SimulatorProblem(
                status: .forbidden, code: "foreign_host",
                detail: "Host names neither this machine nor a host that --simulator-host names.")
        }
        if let origin = request.headers[.origin], origin.lowercased() != "http://\(authority)" {
            throw SimulatorProblem(status: .forbidden, code: "foreign_origin", detail: "Origin is another site's.")
        }
        return try await next(request, context)
    }
}
