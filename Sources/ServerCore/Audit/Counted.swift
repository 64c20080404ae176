/// A reader or writer of a trail, with the number of items that it has processed.
struct Counted<Value: Sendable>: Sendable {
    /// The items between two progress reports: far less than a second's work.
    static var step: Int { 1_024 }

    var value: Value
    private var items = 0

    init(_ value: Value) { self.value = value }

    /// Counts one more item.
    mutating func count(_ progress: (Int) -> Void) {
        items += 1
        if items.isMultiple(of: Self.step) { progress(items) }
    }
}
