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

/// Whether an account is shut out.
struct StandingBody: Encodable {
    var account: String
    /// Left out where it is not blocked.
    var blockedAt: Date?
}

/// Whether an administrator made an account a tester.
struct TesterBody: Encodable {
    var account: String
    /// Left out where it is none.
    var testerSince: Date?
}

/// Whether an account is offered versions on the channel beta.
struct BetaBody: Encodable {
    var account: String
    /// Left out where it is not.
    var betaSince: Date?
}

/// An account whose sandbox is empty.
struct SandboxResetBody: Encodable {
    var account: String
    /// How many purchases, or subscriptions, were forgotten.
    var forgotten: Int
}

/// An account whose sessions ended.
struct RevokedBody: Encodable {
    var account: String
    /// How many sessions were open.
    var revoked: Int
}
