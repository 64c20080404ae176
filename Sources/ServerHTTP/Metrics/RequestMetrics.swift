import CoreMetrics
package import HTTPTypes
package import PrometheusMetrics
import Synchronization

/// Counts requests by method, route and status, and measures their duration.
///
/// Only routes of the router and methods of HTTP become labels: nothing that a client sends creates a series. Each
/// route has a lock of its own.
package final class RequestMetrics: Sendable {
    /// The label of requests that match no route.
    static let noRoute = "none"
    /// The methods of RFC 9110 §9.3 and RFC 5789; others are counted as "other".
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]

    let inFlight: Meter
    private let registry: PrometheusRegistry
    private let routes = AtomicLazyReference<Table>()
    private let others: RouteMetrics

    package init(_ registry: PrometheusRegistry) {
        self.registry = registry
        inFlight = Meter(.httpRequestsInFlight, in: registry)
        others = RouteMetrics(Self.noRoute, registry)
    }

    /// Sets the routes; call it once, before the first request.
    package func declare(_ templates: some Sequence<String>) {
        let routes = templates.map { ($0, RouteMetrics($0, registry)) }
        _ = self.routes.storeIfNil(Table(Dictionary(routes) { first, _ in first }))
    }

    /// - Parameter template: such as `/v1/receipts/{id}`; `nil` if the request matches no route.
    package func route(_ template: String?) -> RouteMetrics {
        template.flatMap { routes.load()?.byTemplate[$0] } ?? others
    }

    package static func label(_ method: HTTPRequest.Method) -> String {
        methods.contains(method.rawValue) ? method.rawValue : "other"
    }

    private final class Table: Sendable {
        let byTemplate: [String: RouteMetrics]

        init(_ byTemplate: [String: RouteMetrics]) { self.byTemplate = byTemplate }
    }
}
