package import InAppPurchase
import Foundation

/// Something that is kept otherwise than the history has it.
package struct LedgerDifference: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// Nil where it is nobody's.
    package var account: AccountID?
    package var app: BundleID?
    package var environment: Environment?
    /// A balance, a spend, a receipt: what it is about, with its key.
    package var subject: String
    package var kept: String
    package var folded: String

    package init(
        account: AccountID? = nil, scope: Scope? = nil, _ subject: String, kept: String, folded: String
    ) {
        self.account = account
        app = scope?.app
        environment = scope?.environment
        self.subject = subject
        self.kept = kept
        self.folded = folded
    }

    /// One line: what and where.
    package var description: String {
        let place = [account.map { "account \($0.text)" }, app, environment?.rawValue, subject].compactMap { $0 }
        return "\(place.joined(separator: ", ")): kept \(kept), folded \(folded)"
    }
}
