import HTTPTypes
package import Hummingbird

/// Reads a chunked body to its end before its route acts, so that nothing is done if a chunk turns out not to be HTTP:
/// many routes read no body at all. Routes of large bodies do so by themselves, see ``RouteBody/isLeftToRoute``. A body
/// with a `Content-Length` is left alone.
package struct ChunkedBodyMiddleware: RouterMiddleware {
    package let table: RouteTable

    package init(table: RouteTable) {
        self.table = table
    }

    /// - Throws: `HTTPParserError` if the chunks are not framed as RFC 9112 §7.1 requires; 413 for a large body on a
    ///   route that accepts none.
    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.transferEncoding] != nil,
            table.facts(of: request, context)?.body.isLeftToRoute != true
        else { return try await next(request, context) }
        var request = request
        do {
            request.body = .init(buffer: try await request.wholeBody(.small, context))
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
        return try await next(request, context)
    }
}
