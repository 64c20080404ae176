import NIOCore

/// What one request may take.
enum Limits {
    /// What the store itself takes as a body of `verifyReceipt`: beyond it, 413.
    static let receiptBody = 3_145_728
    /// Everything else is a few short members.
    static let body = 65_536
    /// Longer than any body needs from the same machine or network.
    static let bodyTime = TimeAmount.seconds(30)
    /// Ends connections that send nothing; longer than the longest fault, whose caller waits on purpose.
    static let idleTime = TimeAmount.seconds(660)
    /// Development needs no more; beyond it new connections wait.
    static let connections = 1_024
    /// App Store Connect's own bound on product IDs is 100 characters; bundle IDs are 155 at most.
    static let identifierLength = 255
    /// Units of a consumable in one order (`SKPayment.quantity`).
    static let quantity = 1...10
    /// What `delaySeconds` may be: longer than any client waits.
    static let delay = 0.0...600.0
    /// How many calls a counted fault may be for.
    static let faultCount = 1...1_000_000
    /// How late a notification may be, in seconds: the store's own last retry is a week after the first attempt.
    static let lateness = 0.0...1_000_000.0
    /// Apple, extendByDays.
    static let extensionDays = 1...90
    /// Apple, revocationPercentage: thousandths of a percent.
    static let percentage = 0...100_000
    /// Three digits of an HTTP status and four of its own.
    static let errorCode = 4_000_000...5_999_999
    /// What `retryAfterSeconds` may be: a day is longer than any limit is in force.
    static let retryAfter = 0.0...86_400.0
}
