import Foundation
import InAppPurchase
import Ledger

struct SpentBody: Encodable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var balance: Int
    var idempotencyKey: String
    var at: Date

    init(_ recorded: RecordedSpend) {
        let spend = recorded.spend
        app = spend.scope.app
        environment = spend.scope.environment
        currency = spend.currency
        amount = spend.amount
        balance = recorded.balance
        idempotencyKey = spend.idempotencyKey
        at = recorded.date
    }
}
