import Foundation
import InAppPurchase
import Logging
import ServiceLifecycle

/// Lets happen what becomes due while nobody asks.
struct TimelineService: Service {
    static let interval = Duration.seconds(1)

    let timeline: Timeline
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                do {
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
