/// The newest entries of a list that may be longer, newest first.
package struct Newest<Entry: Sendable>: Sendable {
    package var entries: [Entry]
    /// There are older ones.
    package var isTruncated: Bool

    /// - Parameter entries: newest first; one more than `limit` tells that there are others.
    package init(_ entries: [Entry], limit: Int) {
        self.entries = Array(entries.prefix(max(0, limit)))
        isTruncated = entries.count > self.entries.count
    }
}
