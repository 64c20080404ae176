import Foundation
package import InAppPurchase

/// A stored row that differs from the fold of the history.
package struct LedgerDifference: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The account concerned; `nil` if there is none.
    package var account: AccountID?
    package var app: BundleID?
    package var environment: Environment?
    /// The subject, with its key: a balance, a spend, a receipt.
    package var subject: String
    /// The stored value.
    package var stored: String
    /// The value according to the history.
    package var folded: String

    /// ``stored`` has its earlier name in what `ledger rebuild --json` prints.
    private enum CodingKeys: String, CodingKey {
        case account
        case app
        case environment
        case subject
        case stored = "kept"
        case folded
    }

    package init(account: AccountID? = nil, scope: Scope? = nil, _ subject: String, stored: String, folded: String) {
        self.account = account
        app = scope?.app
        environment = scope?.environment
        self.subject = subject
        self.stored = stored
        self.folded = folded
    }

    /// The difference in one line: account, app, environment, subject, and both values.
    package var description: String {
        let place = [account.map { "account \($0.text)" }, app?.text, environment?.rawValue, subject].compactMap { $0 }
        return "\(place.joined(separator: ", ")): stored \(stored), recomputed \(folded)"
    }
}
