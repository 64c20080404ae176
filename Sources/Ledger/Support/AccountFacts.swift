package import InAppPurchase
package import Foundation

/// An account by itself.
package struct AccountFacts: Hashable, Sendable {
    package var account: AccountID
    package var createdAt: Date
    /// Since when it is shut out; nil where it is not.
    package var blockedAt: Date?
    /// Since when an administrator lets it use sandbox purchases as a tester; nil where none does.
    package var testerSince: Date?
    /// Since when it is offered versions on the channel beta; nil where it is not.
    package var betaSince: Date?

    package init(
        account: AccountID, createdAt: Date, blockedAt: Date?, testerSince: Date? = nil, betaSince: Date? = nil
    ) {
        self.account = account
        self.createdAt = createdAt
        self.betaSince = betaSince
        self.blockedAt = blockedAt
        self.testerSince = testerSince
    }
}
