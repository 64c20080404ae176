import Basics
package import Content
package import Foundation
import Ledger
package import Logging
import ServerHTTP

/// Measures the alarms once a minute, so that a scrape of `/metrics` reads nothing, and writes those that only this
/// process knows into the ledger, for `quartermaster status`.
package struct OverviewWatch: PeriodicService {
    package static let interval = Duration.seconds(60)
    /// At once, so that `status` knows of a server that has just started.
    static let firstInterval = Duration.zero

    package let ledger: any OverviewLedger
    package let store: any Store
    package let decisions: ServingContext
    package let content: any ContentRepository
    package let metrics: ServerMetrics
    package let logger: Logger
    /// The server's name among those of the ledger.
    package let server: String
    /// The true time, even if a simulated App Store has another.
    package let trueClock: @Sendable () -> Date

    package init(
        ledger: any OverviewLedger, store: any Store,
        decisions: ServingContext, content: any ContentRepository, metrics: ServerMetrics, logger: Logger,
        server: String, trueClock: @escaping @Sendable () -> Date
    ) {
        self.ledger = ledger
        self.store = store
        self.decisions = decisions
        self.content = content
        self.metrics = metrics
        self.logger = logger
        self.server = server
        self.trueClock = trueClock
    }

    package func runOnce() async {
        let overview: Overview
        do {
            overview = try await Overview(ledger, store, decisions, content, at: decisions.clock())
        } catch {
            logger.error("the overview could not be read", metadata: ["error": "\(error)"])
            return metrics.forgetOverview()
        }
        metrics.measure(overview)
        do {
            try await ServerStates(ledger).write(ServerState(of: server, overview, at: trueClock()))
        } catch {
            logger.error("the state of this server could not be written", metadata: ["error": "\(error)"])
        }
    }
}
