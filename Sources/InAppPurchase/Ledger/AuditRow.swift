public import Foundation

/// One row of the audit trail as it stands.
public struct AuditRow: Hashable, Sendable {
    /// Counts from 1.
    public var sequence: Int
    public var date: Date
    /// An ``AuditEntry/Kind``, or one of a later version.
    public var kind: String
    public var actor: String?
    public var account: AccountID?
    public var subject: String?
    /// A JSON object, exactly as it was hashed; nil where it was erased.
    public var content: String?
    /// The SHA-256 of the content's UTF-8.
    public var contentHash: Data

    public init(
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
