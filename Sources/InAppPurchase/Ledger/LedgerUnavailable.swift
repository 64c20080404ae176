/// The storage cannot read or write now: a full disk, a read-only file, a lock that is not released.
public struct LedgerUnavailable: Error, Sendable {
    /// For the operator's log.
    public var detail: String

    public init(_ detail: String) { self.detail = detail }
}
