import Foundation
import Hummingbird
import InAppPurchase

/// Lets happen what is due before a request is answered, so that no answer is of the past.
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
