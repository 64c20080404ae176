import Foundation
import InAppPurchase
import Ledger

struct AdjustmentBody: Encodable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var balance: Int
    var idempotencyKey: String
    var actor: String
    var reason: String
    var at: Date

    init(_ recorded: RecordedAdjustment) {
        let adjustment = recorded.adjustment
        app = adjustment.scope.app
        environment = adjustment.scope.environment
        currency = adjustment.currency
        amount = adjustment.amount
        balance = recorded.balance
        idempotencyKey = adjustment.idempotencyKey
        actor = recorded.actor
        reason = recorded.reason
        at = recorded.date
    }
}
