import HTTPTypes
import Hummingbird

/// Reads a chunked body to its end before its route acts, so that nothing is done if a chunk turns out not to be HTTP:
/// many routes read no body at all. A body with a `Content-Length` is left alone.
struct ChunkedBodyMiddleware: RouterMiddleware {
    /// Routes with bodies larger than ``Limits/smallBodyBytes``. Each reads the whole body before it does anything, or
    /// can be resumed, as an upload can.
    static let routesOfLargeBodies: Set<String> = [
        "POST /v1/receipts", "POST /v1/restore", "POST /v1/notifications/app-store",
        "PUT /admin/v1/apps/{bundleID}", "PUT /admin/v1/apps/{bundleID}/products/{id}",
        "POST /admin/v1/bundles/{name}/versions",
        "PUT /admin/v1/content/{sha256}", "PATCH /admin/v1/content/{sha256}",
    ]

    /// - Throws: `HTTPParserError` if the chunks are not framed as RFC 9112 §7.1 requires; 413 for a large body on a
    ///   route that accepts none.
    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let route = "\(request.method.rawValue) \(context.endpointPath ?? "")"
        guard request.headers[.transferEncoding] != nil, !Self.routesOfLargeBodies.contains(route) else {
            return try await next(request, context)
        }
        var request = request
        do {
            request.body = .init(buffer: try await request.wholeBody(.small, context))
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
        return try await next(request, context)
    }
}
