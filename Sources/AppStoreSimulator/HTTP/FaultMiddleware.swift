import HTTPTypes
import Hummingbird
import NIOCore

/// Has the trouble that was asked for; only for what is served as the store.
struct FaultMiddleware: RouterMiddleware {
    typealias Context = StoreRequestContext

    var faults: FaultBoard

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let fault = await faults.take() else { return try await next(request, context) }
        if let delay = fault.delay { try await Task.sleep(for: delay) }
        if fault.drops {
            // Closed before there is an answer, so that none can be written.
            try? await context.channel.close()
            return Response(status: .noContent)
        }
        if let http = fault.http { return Response(status: .init(code: http)) }
        if let status = fault.status { return try .json(["status": status]) }
        return try await next(request, context)
    }
}
