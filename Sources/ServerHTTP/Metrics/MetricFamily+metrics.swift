import CoreMetrics
package import PrometheusMetrics

// Metrics of a declared family, kept in a registry.

extension Counter {
    package convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry)
    {
        self.init(label: family.name, dimensions: labels, factory: registry)
    }
}

extension Meter {
    package convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry)
    {
        self.init(label: family.name, dimensions: labels, factory: registry)
    }
}

extension Recorder {
    /// A recorder for a histogram.
    package convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry)
    {
        self.init(label: family.name, dimensions: labels, aggregate: true, factory: registry)
    }
}

extension Timer {
    package convenience init(_ family: MetricFamily, _ labels: [(String, String)] = [], in registry: PrometheusRegistry)
    {
        self.init(label: family.name, dimensions: labels, factory: registry)
    }

    package func record(_ duration: Duration) { recordNanoseconds(duration.nanoseconds) }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero.
    fileprivate var nanoseconds: Int64 {
        // What fits into 64 bits, nine seconds, is divided without the 128 of a duration, which each request would pay.
        if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }
}
