public import Foundation

/// Who acts, why, and when.
public struct SupportAct: Sendable {
    /// The number of a ticket and a few sentences.
    public static let maximumReasonCharacters = 500

    public let actor: AuditActor
    /// Stands in the audit trail as it is.
    public let reason: String
    public let date: Date

    /// Nil where the reason is empty, longer than ``maximumReasonCharacters`` (Unicode scalars), or has control characters
    /// or line separators.
    public init?(by actor: AuditActor, reason: String, at date: Date) {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        let scalars = reason.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= Self.maximumReasonCharacters,
            !reason.hasControlCharacters
        else { return nil }
        self.actor = actor
        self.reason = reason
        self.date = date
    }
}
