import CoreMetrics
package import HTTPTypes
package import PrometheusMetrics
import Synchronization

/// The metrics of one route's requests.
package final class RouteMetrics: Sendable {
    private struct Answer: Hashable {
        var method: String
        var status: Int
    }

    /// The metrics of the requests with one method and status.
    package struct Series: Sendable {
        fileprivate let count: Counter
        fileprivate let duration: Timer

        package func record(_ time: Duration) {
            count.increment()
            duration.record(time)
        }
    }

    package let template: String
    private let registry: PrometheusRegistry
    private let series = Mutex<[Answer: Series]>([:])

    package init(_ template: String, _ registry: PrometheusRegistry) {
        self.template = template
        self.registry = registry
    }

    package func record(_ method: HTTPRequest.Method, _ status: Int, took time: Duration) {
        series(method, status).record(time)
    }

    /// The metrics of a method and status, for callers that record them repeatedly.
    package func series(_ method: HTTPRequest.Method, _ status: Int) -> Series {
        let answer = Answer(method: RequestMetrics.label(method), status: status)
        return series.withLock { series in
            if let known = series[answer] { return known }
            let labels = [("method", answer.method), ("route", template), ("status", "\(answer.status)")]
            let new = Series(
                count: Counter(.httpRequests, labels, in: registry),
                duration: Timer(.httpRequestDuration, labels, in: registry))
            series[answer] = new
            return new
        }
    }
}
