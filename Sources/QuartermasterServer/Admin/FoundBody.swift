import Foundation
import InAppPurchase

/// Which accounts something belongs to.
struct FoundBody: Encodable {
    struct Account: Encodable {
        var account: String
        /// The original transaction that it owns; left out where a receipt was looked for.
        var app: BundleID?
        var environment: Environment?
        var originalID: TransactionID?

        init(_ account: AccountID) { self.account = account.text }

        init(_ original: OriginalTransaction) {
            account = original.owner.text
            app = original.key.app
            environment = original.key.environment
            originalID = original.key.originalID
        }
    }

    var accounts: [Account]
}
