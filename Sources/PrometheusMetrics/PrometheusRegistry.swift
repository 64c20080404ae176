package import CoreMetrics
import Synchronization

/// Collects the metrics of swift-metrics, to be scraped by Prometheus.
///
/// Pass it to each metric as its `factory`. Declared labels are collected as declared, others under a name that
/// Prometheus accepts. The same label and dimensions again are the same series. Making a metric looks up its series
/// under its family's lock; using one locks only that series, so reuse metrics that are used often.
package final class PrometheusRegistry: MetricsFactory {
    /// The maximum number of samples: about a megabyte in each scrape. The number of series must not grow with client
    /// input; if it does, it is bounded here.
    package static let maximumSamples = 10_000

    private let declared: [String: FamilySeries]
    private let undeclared = Mutex<[String: FamilySeries]>([:])
    private let maximumSamples: Int
    private let samples = Mutex(0)
    private let refused = Mutex(0)

    /// - Parameters:
    ///   - declared: of two with one name the first counts.
    ///   - maximumSamples: lines with a value in a scrape; metrics beyond it measure nothing.
    package init(_ declared: [MetricFamily] = [], maximumSamples: Int = maximumSamples) {
        self.declared = Dictionary(declared.map { ($0.name, FamilySeries($0)) }) { first, _ in first }
        self.maximumSamples = maximumSamples
    }

    /// The number of metrics that measure nothing: beyond the maximum, or of another kind than the metric with their
    /// name.
    package var refusedMetrics: Int { refused.withLock { $0 } }

    var families: [FamilySeries] { Array(declared.values) + undeclared.withLock { Array($0.values) } }

    private func family(_ family: MetricFamily, _ label: String) -> FamilySeries {
        if let known = declared[label] ?? declared[family.name] { return known }
        return undeclared.withLock { known in
            let found = known[family.name] ?? FamilySeries(family)
            known[family.name] = found
            return found
        }
    }

    private func series<Kind: Series>(
        _ undeclared: MetricFamily, _ label: String, _ dimensions: [(String, String)], as kind: Kind.Type
    ) -> Kind? {
        let series = family(undeclared, label).series(Labels(dimensions), mayAdd: mayAdd)
        if let series = series as? Kind { return series }
        refused.withLock { $0 += 1 }
        return nil
    }

    private func mayAdd(_ size: Int) -> Bool {
        samples.withLock { samples in
            guard samples + size <= maximumSamples else { return false }
            samples += size
            return true
        }
    }

    private func forget(_ series: AnyObject) {
        let size = families.reduce(0) { $0 + $1.remove(series) }
        samples.withLock { $0 -= size }
    }
}

// MARK: - MetricsFactory

extension PrometheusRegistry {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        counter(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    /// Makes a histogram for a distribution, and a gauge for anything else.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let recorder: (any RecorderHandler)? =
            aggregate ? histogram(label, dimensions, unit: "") : gauge(label, dimensions)
        return recorder ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, unit: "_seconds") ?? NOOPMetricsHandler.instance
    }

    /// Removes the series from the next scrape, also for others that hold it; made again it starts anew.
    package func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }

    package func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    package func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> CounterSeries? {
        series(MetricFamily(undeclared: label, .counter, unit: "_total"), label, dimensions, as: CounterSeries.self)
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeSeries? {
        series(MetricFamily(undeclared: label, .gauge), label, dimensions, as: GaugeSeries.self)
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)], unit: String) -> HistogramSeries? {
        let family = MetricFamily(undeclared: label, .histogram(bounds: MetricFamily.defaultBounds), unit: unit)
        return series(family, label, dimensions, as: HistogramSeries.self)
    }
}

/// The values of one family under one set of labels. Each has a lock of its own.
protocol Series: AnyObject, Sendable {
    /// The number of its lines in a scrape.
    var size: Int { get }

    func write(_ name: String, _ labels: Labels, to text: inout String)
}

extension MetricFamily.Kind {
    func makeSeries() -> any Series {
        switch self {
        case .counter: CounterSeries()
        case .gauge: GaugeSeries()
        case .histogram(let bounds): HistogramSeries(bounds: bounds)
        }
    }
}

/// A counter, which only rises: an amount that is not a positive number is ignored.
final class CounterSeries: Series, CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)
    let size = 1

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        value.withLock { $0 += amount }
    }

    func reset() { value.withLock { $0 = 0 } }

    func write(_ name: String, _ labels: Labels, to text: inout String) {
        text.addSample(name, labels, value.withLock { $0 })
    }
}

/// A gauge: the last value that was set, and what was added since.
final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)
    let size = 1

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { self.value.withLock { $0 = value } }

    func increment(by amount: Double) { value.withLock { $0 += amount } }

    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    func write(_ name: String, _ labels: Labels, to text: inout String) {
        text.addSample(name, labels, value.withLock { $0 })
    }
}
