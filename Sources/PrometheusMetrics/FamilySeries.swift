import Synchronization

/// The series of one family.
final class FamilySeries: Sendable {
    let declaration: MetricFamily
    private let series = Mutex<[Labels: any Series]>([:])

    init(_ declaration: MetricFamily) { self.declaration = declaration }

    var all: [(labels: Labels, series: any Series)] { series.withLock { $0.map { ($0.key, $0.value) } } }

    /// The series with these labels; created the first time, if `mayAdd` has room for its size, otherwise `nil`.
    func series(_ labels: Labels, mayAdd: (Int) -> Bool) -> (any Series)? {
        series.withLock { known in
            if let found = known[labels] { return found }
            let new = declaration.kind.makeSeries()
            guard mayAdd(new.size) else { return nil }
            known[labels] = new
            return new
        }
    }

    /// Removes a series, and returns its size; 0 if it is not in this family.
    func remove(_ object: AnyObject) -> Int {
        series.withLock { known in
            guard let found = known.first(where: { $0.value === object }) else { return 0 }
            known[found.key] = nil
            return found.value.size
        }
    }
}
