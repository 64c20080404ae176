import Foundation
import Hummingbird
import InAppPurchase

/// Performs what is due before a request is answered, so that no answer is out of date.
struct TimelineMiddleware: RouterMiddleware {
    typealias Context = StoreRequestContext

    let timeline: Timeline
    let clock: @Sendable () -> Date

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await timeline.catchUp(to: clock().wholeMilliseconds)
        return try await next(request, context)
    }
}
