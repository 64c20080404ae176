import CoreMetrics
import HTTPTypes
import PrometheusMetrics
import Synchronization

/// The metrics of one route's requests.
final class RouteMetrics: Sendable {
    private struct Answer: Hashable {
        var method: String
        var status: Int
    }

    let template: String
    private let registry: PrometheusRegistry
    private let series = Mutex<[Answer: (count: Counter, duration: Timer)]>([:])

    init(_ template: String, _ registry: PrometheusRegistry) {
        self.template = template
        self.registry = registry
    }

    func record(_ method: HTTPRequest.Method, _ status: Int, took time: Duration) {
        let (count, duration) = series(Answer(method: RequestMetrics.label(method), status: status))
        count.increment()
        duration.record(time)
    }

    private func series(_ answer: Answer) -> (count: Counter, duration: Timer) {
        series.withLock { series in
            if let known = series[answer] { return known }
            let labels = [("method", answer.method), ("route", template), ("status", "\(answer.status)")]
            let new = (Counter(.httpRequests, labels, in: registry), Timer(.httpRequestDuration, labels, in: registry))
            series[answer] = new
            return new
        }
    }
}
