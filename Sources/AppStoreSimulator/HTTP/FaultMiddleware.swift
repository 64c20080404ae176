import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// Applies the injected faults to the App Store's own routes.
struct FaultMiddleware: RouterMiddleware {
    typealias Context = StoreRequestContext

    /// A response without its end.
    private static let garbage = ByteBuffer(string: "{\"signedTransactionInfo\": \"eyJhbGciOi")

    var faults: FaultBoard
    /// The clock of callers that do not use the simulator's time.
    var callersClock: @Sendable () -> Date

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let fault = await faults.consume(request.uri.path) else { return try await next(request, context) }
        if let delay = fault.delay { try await Task.sleep(for: delay) }
        if fault.drops {
            // Closed before there is a response, so that none can be written.
            try? await context.channel.close()
            return Response(status: .noContent)
        }
        if fault.isGarbage {
            return Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: Self.garbage))
        }
        if let http = fault.http { return try answer(.init(code: http), fault) }
        if let status = fault.status { return try .json(["status": status]) }
        return try await next(request, context)
    }

    private func answer(_ status: HTTPResponse.Status, _ fault: Fault) throws -> Response {
        var response = Response(status: status)
        if let code = fault.errorCode {
            response = try .json(ServerAPIError(code, "This was asked for."), status: status)
        }
        if let seconds = fault.retryAfter {
            // Apple's value is not a number of seconds but the time in milliseconds (Apple, "Identifying rate limits").
            response.headers[.retryAfter] = String((callersClock() + seconds).milliseconds)
        }
        return response
    }
}
