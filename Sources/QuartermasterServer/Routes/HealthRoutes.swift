import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import Logging
import NIOCore
import PrometheusMetrics
import ServerHTTP

/// Reports whether the process is alive, whether it can serve, and its metrics.
struct HealthRoutes: Sendable {
    static let readyPath = "/ready"
    static let metricsPath = "/metrics"

    let ledger: any Ledger
    let live: LiveCatalog
    let clock: @Sendable () -> Date
    let metrics: ServerMetrics

    /// - Parameter withMetrics: whether `/metrics` is added too.
    func add(to root: RouteGroup, withMetrics: Bool) {
        // Monitoring calls them many times a minute.
        root.on(.get, "/health", RouteFacts("getHealth", logged: .none)) { _, _ in try .json(["status": "alive"]) }
        root.on(.get, Self.readyPath, RouteFacts("getReadiness", logged: .none)) { _, _ in try await ready() }
        guard withMetrics else { return }
        root.on(.get, Self.metricsPath, RouteFacts("getMetrics", logged: .none)) { _, context in await scrape(context) }
    }

    private func ready() async throws -> Response {
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
