/// How a purchase ends.
enum SimulatorPurchaseOutcome: String, Sendable {
    case bought
    /// Somebody else has to approve it (Ask to Buy).
    case pending
    /// The payment is declined.
    case declined
    /// The customer cancels it (StoreKit, `userCancelled`).
    case cancelled
}
