/// A page of rows of the audit trail, and where the next one begins.
package struct AuditRowPage: Hashable, Sendable {
    package var rows: [AuditRow]
    /// The sequence number after which, or before which, the next page looks; `nil` at the end of the trail. There may
    /// be a next page though this one has no rows.
    package var next: Int?

    package init(rows: [AuditRow], next: Int?) {
        self.rows = rows
        self.next = next
    }
}
