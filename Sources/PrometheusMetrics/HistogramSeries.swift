import CoreMetrics
import Synchronization

/// A histogram: observations counted by bucket, and their sum. Values that are not finite are ignored: they would spoil
/// the sum for good.
final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    private struct Observed {
        /// For each bound, the observations above the previous bound and not above this one; the last are those above
        /// all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let observed: Mutex<Observed>

    init(bounds: [Double]) {
        self.bounds = Set(bounds.filter(\.isFinite)).sorted()
        observed = Mutex(Observed(counts: Array(repeating: 0, count: self.bounds.count + 1)))
    }

    /// The lines of a scrape: the buckets, `+Inf`, sum and count.
    var size: Int { bounds.count + 3 }

    /// Records a duration in seconds, the base unit of time; a negative one, from a clock that was set back, counts as
    /// 0.
    func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        observed.withLock { observed in
            observed.counts[bucket] += 1
            observed.sum += value
        }
    }

    /// Writes one snapshot, so that the buckets and the count agree.
    func write(_ name: String, _ labels: Labels, to text: inout String) {
        let observed = observed.withLock { $0 }
        var count: UInt64 = 0
        for (bound, more) in zip(bounds + [.infinity], observed.counts) {
            count += more
            text.addSample(name + "_bucket", labels.adding("le", bound.prometheusText), Double(count))
        }
        text.addSample(name + "_sum", labels, observed.sum)
        text.addSample(name + "_count", labels, Double(count))
    }
}
