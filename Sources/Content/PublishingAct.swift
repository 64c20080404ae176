package import Foundation
package import InAppPurchase

/// Who publishes or withdraws something, and when.
package struct PublishingAct: Sendable {
    package var actor: AuditActor
    package var date: Date

    package init(by actor: AuditActor, at date: Date) {
        self.actor = actor
        self.date = date
    }
}
