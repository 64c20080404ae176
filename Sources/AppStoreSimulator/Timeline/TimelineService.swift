import Foundation
import Hummingbird
import InAppPurchase
import Logging
import ServiceLifecycle

/// Performs what becomes due while there are no requests.
struct TimelineService: Service {
    static let interval = Duration.seconds(1)
    /// The number of intervals after which the agenda is read again, with what other processes added, which may have
    /// ended.
    static let intervalsBetweenReadings = 300

    let timeline: Timeline
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var intervals = 0
            while (try? await Task.sleep(for: Self.interval)) != nil {
                intervals = (intervals + 1) % Self.intervalsBetweenReadings
                do {
                    if intervals == 0 { try await timeline.readAgenda() }
                    try await timeline.catchUp(to: clock().wholeMilliseconds)
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("A subscription could not go on", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}

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
