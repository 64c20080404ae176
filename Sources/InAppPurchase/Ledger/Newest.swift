/// The newest entries of a list that may be longer, newest first.
public struct Newest<Entry: Sendable>: Sendable {
    public var entries: [Entry]
    /// There are older ones.
    public var isTruncated: Bool

    /// - Parameter entries: newest first; one more than `limit` tells that there are others.
    public init(_ entries: [Entry], limit: Int) {
        self.entries = Array(entries.prefix(max(0, limit)))
        isTruncated = entries.count > self.entries.count
    }
}
