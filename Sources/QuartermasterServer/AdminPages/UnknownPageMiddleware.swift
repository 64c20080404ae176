import Basics
import HTTPTypes
import Hummingbird

/// Answers a request for a page that does not exist with a page; paths below `/admin/v1` are no pages.
struct UnknownPageMiddleware: RouterMiddleware {
    let responder: PageResponder
    let methods: RouteMethods

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            guard Self.isPage(request.uri.path), let refusal = refusal(of: error, request, context) else { throw error }
            return try await responder.answer(request, context, nil) { _ in throw refusal }
        }
    }

    private static func isPage(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.first == "admin" && parts.dropFirst().first != "v1"
    }

    private func refusal(of error: any Error, _ request: Request, _ context: ServerContext) -> Problem? {
        if let wrongMethod = methods.refusal(of: request, context) { return wrongMethod }
        guard (error as? any HTTPResponseError)?.status == .notFound else { return nil }
        return Problem(
            .notFound, "not_found", "There is no such page", detail: "The address may be mistyped or out of date.")
    }
}
