import Foundation
import Ledger
import Logging
import ServerHTTP

/// Measures the alarms once a minute, so that a scrape of `/metrics` reads nothing, and writes those that only this
/// process knows into the ledger, for `quartermaster status`.
struct OverviewWatch: PeriodicService {
    static let interval = Duration.seconds(60)
    /// At once, so that `status` knows of a server that has just started.
    static let firstInterval = Duration.zero

    let ledger: any Ledger
    let store: any Store
    let decisions: ServingContext
    let metrics: ServerMetrics
    let logger: Logger
    /// The server's name among those of the ledger.
    let server: String
    /// The true time, even if a simulated App Store has another.
    let trueClock: @Sendable () -> Date

    func runOnce() async {
        let overview: Overview
        do {
            overview = try await Overview(ledger, store, decisions.live, at: decisions.clock())
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
