import InAppPurchase
package import Foundation

/// Who acts, why, and when.
package struct SupportAct: Sendable {
    /// The number of a ticket and a few sentences.
    package static let maximumReasonCharacters = 500

    package let actor: AuditActor
    /// Stands in the audit trail as it is.
    package let reason: String
    package let date: Date

    /// Nil where the reason is empty, longer than ``maximumReasonCharacters`` (Unicode scalars), or has control characters
    /// or line separators.
    package init?(by actor: AuditActor, reason: String, at date: Date) {
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
