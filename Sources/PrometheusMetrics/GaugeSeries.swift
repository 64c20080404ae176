import CoreMetrics
import Synchronization

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
