import Foundation
import Ledger
import Logging

/// Measures the alarms once a minute, so that a scrape of `/metrics` reads nothing.
struct OverviewWatch: PeriodicService {
    static let interval = Duration.seconds(60)
    static let firstInterval = Duration.seconds(2)

    let ledger: any Ledger
    let store: any Store
    let decisions: ServingContext
    let metrics: ServerMetrics
    let logger: Logger

    func runOnce() async {
        do {
            metrics.measure(try await Overview(ledger, store, decisions.live, at: decisions.clock()))
        } catch {
            logger.error("the overview could not be read", metadata: ["error": "\(error)"])
            metrics.forgetOverview()
        }
    }
}
