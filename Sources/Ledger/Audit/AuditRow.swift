package import Foundation
package import InAppPurchase

/// A row of the audit trail, as stored.
package struct AuditRow: Hashable, Sendable {
    /// The sequence number, from 1.
    package var sequence: Int
    package var date: Date
    /// The raw value of an ``AuditEntry/Kind``, or of one that a later version of this server defines.
    package var kind: String
    package var actor: String?
    package var account: AccountID?
    package var subject: String?
    /// A JSON object, exactly as it was hashed; `nil` if it was erased.
    package var content: String?
    /// The SHA-256 of the content's UTF-8.
    package var contentHash: Data

    package init(
        sequence: Int, date: Date, kind: String, actor: String?, account: AccountID?, subject: String?,
        content: String?, contentHash: Data
    ) {
        self.sequence = sequence
        self.date = date
        self.kind = kind
        self.actor = actor
        self.account = account
        self.subject = subject
        self.content = content
        self.contentHash = contentHash
    }

    /// The app that the content names; `nil` if it names none or was erased.
    package var app: BundleID? {
        guard let content, let json = try? JSONDecoder().decode(JSONValue.self, from: Data(content.utf8)),
            case .object(let members) = json, case .string(let app)? = members["app"]
        else { return nil }
        return BundleID(stored: app)
    }
}

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
