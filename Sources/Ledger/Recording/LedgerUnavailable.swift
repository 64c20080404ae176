/// The storage cannot read or write now: a full disk, a read-only file, a lock that is not released.
package struct LedgerUnavailable: Error, Sendable {
    /// For the operator's log.
    package var detail: String

    package init(_ detail: String) { self.detail = detail }
}
