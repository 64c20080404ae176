import Foundation
import InAppPurchase
import Ledger

/// The balance after an adjustment.
struct AdjustedBody: Encodable {
    var account: String
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var balance: Int

    init(_ adjustment: Adjustment, balance: Int) {
        account = adjustment.account.text
        app = adjustment.scope.app
        environment = adjustment.scope.environment
        currency = adjustment.currency
        self.balance = balance
    }
}
