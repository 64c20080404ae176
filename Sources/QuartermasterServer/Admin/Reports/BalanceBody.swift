import InAppPurchase
import Ledger

struct BalanceBody: Encodable {
    var app: BundleID
    var environment: Environment
    var balances: Credits

    init(scope: Scope, balances: Credits) {
        app = scope.app
        environment = scope.environment
        self.balances = balances
    }

    var order: (BundleID, String) { (app, environment.rawValue) }
}
