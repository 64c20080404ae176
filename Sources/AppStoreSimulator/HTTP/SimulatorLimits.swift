import NIOCore

/// The limits of a request.
enum SimulatorLimits {
    /// The maximum body of `verifyReceipt` in bytes, as at Apple: beyond it, 413.
    static let receiptBody = 3_145_728
    /// The maximum of any other body in bytes: a few short members.
    static let body = 65_536
    /// The time to receive a body; longer than any needs from the same machine or network.
    static let bodyTime = TimeAmount.seconds(30)
    /// How long what is left of a body that is too large is read and discarded; no client on the same machine needs
    /// more.
    static let lingerTime = TimeAmount.seconds(5)
    /// The time after which an idle connection is closed; longer than the longest fault, whose caller waits on purpose.
    static let idleTime = TimeAmount.seconds(660)
    /// The maximum number of connections: development needs no more; beyond it new connections wait.
    static let connections = 1_024
    /// The maximum length of identifiers. App Store Connect allows 100 characters for product IDs; bundle IDs have at
    /// most 155.
    static let identifierLength = 255
    /// The number of units of a consumable in one order (`SKPayment.quantity`).
    static let quantity = 1...10
    /// The number of seats of a subscription; Apple names no maximum, and no test needs a larger group.
    static let seats = 1...1_000
    /// The range of `delaySeconds`: longer than any client waits.
    static let delay = 0.0...600.0
    /// The number of calls that a counted fault may apply to.
    static let faultCount = 1...1_000_000
    /// The delay of a notification in seconds: Apple's own last retry is a week after the first attempt.
    static let lateness = 0.0...1_000_000.0
    /// The number of days of an extension (Apple, extendByDays).
    static let extensionDays = 1...90
    /// The range of a price in milliunits of its currency: App Store Connect sells for up to 10,000 US dollars, and no
    /// currency has units a hundred thousand times smaller.
    static let price = 0...1_000_000_000_000
    /// The number of periods under an offer; App Store Connect has up to 12.
    static let offerPeriods = 1...100
    /// The maximum number of acts that are planned for a subscription.
    static let plannedActs = 1_000
    /// The members of a family besides the purchaser (Apple, "Family Sharing").
    static let familyMembers = 5
    /// The range of a refunded share in thousandths of a percent (Apple, revocationPercentage).
    static let percentage = 0...100_000
    /// The range of error codes: three digits of an HTTP status and four of their own.
    static let errorCode = 4_000_000...5_999_999
    /// The range of `retryAfterSeconds`: a day is longer than any rate limit is in force.
    static let retryAfter = 0.0...86_400.0
}
