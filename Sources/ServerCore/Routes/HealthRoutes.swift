package import Foundation
import HTTPTypes
import Hummingbird
package import Ledger
import Logging
import NIOCore
import PrometheusMetrics
package import ServerHTTP

/// Reports whether the process is alive, whether it can serve, and its metrics.
package struct HealthRoutes: Sendable {
    package static let readyPath = "/ready"
    package static let metricsPath = "/metrics"

    package let ledger: any ReportLedger & LedgerMaintenance
    package let live: LiveCatalog
    package let clock: @Sendable () -> Date
    package let metrics: ServerMetrics

    package init(
        ledger: any ReportLedger & LedgerMaintenance, live: LiveCatalog, clock: @escaping @Sendable () -> Date,
        metrics: ServerMetrics
    ) {
        self.ledger = ledger
        self.live = live
        self.clock = clock
        self.metrics = metrics
    }

    /// - Parameter withMetrics: whether `/metrics` is added too.
    package func add(to root: RouteGroup, withMetrics: Bool) {
        // Monitoring calls them many times a minute.
        root.on(.get, "/health", RouteFacts("getHealth", logged: .none)) { _, _ in try .json(["status": "alive"]) }
        root.on(.get, Self.readyPath, RouteFacts("getReadiness", logged: .none)) { _, _ in try await ready() }
        guard withMetrics else { return }
        root.on(.get, Self.metricsPath, RouteFacts("getMetrics", logged: .none)) { _, context in await scrape(context) }
    }

    private func ready() async throws -> Response {
        guard ledger.writes.outage == nil else { throw Problem.storageUnavailable }
        _ = try await ledger.isEmpty()
        return try .json(["status": "ready", "catalog": live.current.revision])
    }

    /// Returns the metrics. A ledger that cannot be read removes its own gauges from the scrape, but not the metrics
    /// that an alert about it needs.
    private func scrape(_ context: ServerContext) async -> Response {
        var pending: PendingReceipts?
        do {
            pending = try await ledger.pendingReceipts()
        } catch {
            context.logger.error("pending receipts could not be counted", metadata: ["error": "\(error)"])
        }
        return Response(
            status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.exposition(pending, at: clock()))))
    }
}
