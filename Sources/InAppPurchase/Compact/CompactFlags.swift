/// Truth values that were written together; each is read once, in their order.
package struct CompactFlags {
    private var rest: UInt64

    init(_ bits: UInt64) { rest = bits }

    /// The next one.
    package mutating func next() -> Bool {
        defer { rest >>= 1 }
        return rest & 1 == 1
    }
}
