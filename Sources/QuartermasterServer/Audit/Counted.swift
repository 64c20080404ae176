/// What takes a trail item by item, and how many it took.
struct Counted<Value: Sendable>: Sendable {
    /// Between two words of progress: far less than a second's work.
    static var step: Int { 1_024 }

    var value: Value
    private var items = 0

    init(_ value: Value) { self.value = value }

    /// One more was taken.
    mutating func count(_ progress: (Int) -> Void) {
        items += 1
        if items.isMultiple(of: Self.step) { progress(items) }
    }
}
