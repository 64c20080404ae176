/// Booleans that were written together; each is read once, in order.
package struct CompactFlags {
    private var rest: UInt64

    init(_ bits: UInt64) { rest = bits }

    /// Returns the next flag.
    package mutating func next() -> Bool {
        defer { rest >>= 1 }
        return rest & 1 == 1
    }
}
