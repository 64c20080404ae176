package import Foundation
import InAppPurchase

/// The actor, reason and date of an administrator's act.
package struct SupportAct: Sendable {
    /// The maximum number of Unicode scalars of a reason: the number of a ticket and a few sentences.
    package static let maximumReasonCharacters = 500

    package let actor: AuditActor
    /// The reason, without surrounding whitespace; recorded in the audit trail unchanged.
    package let reason: String
    package let date: Date

    /// Creates an act; `nil` if the reason is empty, longer than ``maximumReasonCharacters`` (Unicode scalars), or has
    /// control characters or line separators.
    package init?(by actor: AuditActor, reason: String, at date: Date) {
        guard let reason = Self.checked(reason: reason) else { return nil }
        self.actor = actor
        self.reason = reason
        self.date = date
    }

    /// The reason as it is recorded; `nil` for one with which no act can be made.
    package static func checked(reason: String) -> String? {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        let scalars = reason.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= maximumReasonCharacters, !reason.hasControlCharacters else {
            return nil
        }
        return reason
    }
}
