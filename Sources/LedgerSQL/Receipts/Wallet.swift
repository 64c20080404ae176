import InAppPurchase
import Ledger

/// The balances of an account in an app and environment.
struct Wallet: Hashable {
    var account: AccountID
    var scope: Scope

    /// The beginning of a key of the balances' rows.
    var arguments: SQLArguments { [account.text, scope.app, scope.environment.rawValue] }
}
