/// The newest entries of a list that may be longer, newest first.
package struct Newest<Entry: Sendable>: Sendable {
    package var entries: [Entry]
    /// Whether there are older entries.
    package var isTruncated: Bool

    /// Takes the first `limit` entries.
    ///
    /// - Parameter entries: newest first; one more than `limit` shows that there are older ones.
    package init(_ entries: [Entry], limit: Int) {
        self.entries = Array(entries.prefix(max(0, limit)))
        isTruncated = entries.count > self.entries.count
    }

    /// The entries that the predicate accepts; whether there are older ones stays.
    package func filter(_ isIncluded: (Entry) -> Bool) -> Newest {
        var part = self
        part.entries = entries.filter(isIncluded)
        return part
    }
}
