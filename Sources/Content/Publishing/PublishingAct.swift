package import Foundation
package import Ledger

/// The actor and the date of a publication or withdrawal, for the audit trail.
package struct PublishingAct: Sendable {
    package var actor: AuditActor
    package var date: Date

    package init(by actor: AuditActor, at date: Date) {
        self.actor = actor
        self.date = date
    }
}
