package import InAppPurchase
package import Foundation

/// One row of the audit trail as it stands.
package struct AuditRow: Hashable, Sendable {
    /// Counts from 1.
    package var sequence: Int
    package var date: Date
    /// An ``AuditEntry/Kind``, or one of a later version.
    package var kind: String
    package var actor: String?
    package var account: AccountID?
    package var subject: String?
    /// A JSON object, exactly as it was hashed; nil where it was erased.
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
}
