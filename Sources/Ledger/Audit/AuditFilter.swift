package import Foundation
package import InAppPurchase

/// A filter of the rows of the audit trail.
package struct AuditFilter: Hashable, Sendable {
    /// The maximum number of rows that one page looks at: only the account has an index, and the trail is long. A page
    /// then has fewer rows than it could, and the next one continues.
    package static let maximumLookedAt = 10_000

    /// The rows that a page looks at, ``maximumLookedAt`` at most.
    package let looksAt: Int
    /// The rows' kind; `nil` for all.
    package var kind: String?
    /// The administrator or command, such as `admin:alice`; `nil` for all rows, with or without one.
    package var actor: String?
    /// The account that the rows are about; `nil` for all rows, with or without one.
    package var account: AccountID?
    /// The first moment; `nil` for the beginning.
    package var since: Date?
    /// The first moment after the rows; `nil` for no end.
    package var until: Date?

    /// The apps of the administrator's token: rows that name none of them are not found.
    package var reach = AdminReach.everything

    package init(
        kind: String? = nil, actor: String? = nil, account: AccountID? = nil, since: Date? = nil, until: Date? = nil,
        lookingAt rows: Int = maximumLookedAt
    ) {
        looksAt = min(rows, Self.maximumLookedAt)
        self.kind = kind
        self.actor = actor
        self.account = account
        self.since = since
        self.until = until
    }

    /// Whether it selects every row, or every row of the account, so that a page need not look at more than it has.
    package var choosesAll: Bool { kind == nil && actor == nil && since == nil && until == nil && reach == .everything }
}
