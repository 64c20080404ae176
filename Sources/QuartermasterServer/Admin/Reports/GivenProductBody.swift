import Foundation
import InAppPurchase
import Ledger

/// A product that an administrator gave without a purchase.
struct GivenProductBody: Encodable {
    var grant: String
    var app: BundleID
    var environment: Environment
    var product: ProductID
    /// Omitted if the access does not end.
    var until: Date?
    /// Omitted if it was not taken back.
    var revokedAt: Date?
    var idempotencyKey: String
    var actor: String
    var reason: String
    var at: Date

    init(_ recorded: RecordedGrant) {
        grant = recorded.grant.id
        app = recorded.grant.scope.app
        environment = recorded.grant.scope.environment
        product = recorded.grant.product
        until = recorded.grant.end
        revokedAt = recorded.revokedAt
        idempotencyKey = recorded.grant.idempotencyKey
        actor = recorded.actor
        reason = recorded.reason
        at = recorded.date
    }
}
