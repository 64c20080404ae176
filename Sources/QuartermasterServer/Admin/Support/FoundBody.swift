import Foundation
import InAppPurchase

/// The accounts that a transaction or a receipt belongs to.
struct FoundBody: Encodable {
    struct Account: Encodable {
        var account: String
        /// The app of the original transaction that it owns; omitted in a search for a receipt.
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
