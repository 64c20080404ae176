public import Foundation

/// An account by itself.
public struct AccountFacts: Hashable, Sendable {
    public var account: AccountID
    public var createdAt: Date
    /// Since when it is shut out; nil where it is not.
    public var blockedAt: Date?
    /// Since when an administrator lets it use sandbox purchases as a tester; nil where none does.
    public var testerSince: Date?
    /// Since when it is offered versions on the channel beta; nil where it is not.
    public var betaSince: Date?

    public init(
        account: AccountID, createdAt: Date, blockedAt: Date?, testerSince: Date? = nil, betaSince: Date? = nil
    ) {
        self.account = account
        self.createdAt = createdAt
        self.betaSince = betaSince
        self.blockedAt = blockedAt
        self.testerSince = testerSince
    }
}
