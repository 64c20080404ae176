import CoreMetrics
import Synchronization

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
