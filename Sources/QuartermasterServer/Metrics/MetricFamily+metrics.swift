import CoreMetrics
import PrometheusMetrics

// Metrics of a declared family, kept in a registry.

extension Counter {
    convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry) {
        self.init(label: family.name, dimensions: labels, factory: registry)
    }
}

extension Meter {
    convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry) {
        self.init(label: family.name, dimensions: labels, factory: registry)
    }
}

extension Recorder {
    /// A recorder for a histogram.
    convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry) {
        self.init(label: family.name, dimensions: labels, aggregate: true, factory: registry)
    }
}

extension Timer {
    convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry) {
        self.init(label: family.name, dimensions: labels, factory: registry)
    }

    func record(_ duration: Duration) { recordSeconds(duration / .seconds(1)) }
}
