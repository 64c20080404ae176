import CoreMetrics
import Synchronization

/// The values of one family under one set of labels. Each has a lock of its own.
protocol Series: AnyObject, Sendable {
    /// How many lines it has in a scrape: what it costs whoever scrapes.
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

/// Rises only: an amount that is not a positive number changes nothing.
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

/// The last value that was set, and what was added since.
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
