package import Foundation
package import InAppPurchase

/// The properties of an account, without what it owns.
package struct AccountFacts: Hashable, Sendable {
    package var account: AccountID
    package var createdAt: Date
    /// The date since which it is blocked; `nil` if it is not.
    package var blockedAt: Date?
    /// The date since which an administrator has made it a tester, so that sandbox purchases entitle it; `nil` if none
    /// has.
    package var testerSince: Date?
    /// The date since which it is offered versions on the channel beta; `nil` if it is not.
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
