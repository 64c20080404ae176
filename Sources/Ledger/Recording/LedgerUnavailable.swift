/// The database cannot be read or written now: a full disk, a read-only file, a lock that is not released.
package struct LedgerUnavailable: Error, Sendable, CustomStringConvertible {
    /// The cause, for the operator's log.
    package var detail: String

    package var description: String { detail }

    package init(_ detail: String) { self.detail = detail }
}
