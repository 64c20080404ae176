/// Apple's rate limits in requests a second ("Identifying rate limits"), by kind of request.
///
/// They count for each app in Production; the sandbox allows a tenth.
enum RateLimit: Int, Hashable, Sendable, CaseIterable {
    /// Transactions, histories, statuses, consumption, notification histories, finishing.
    case usual = 50
    /// Renewal dates and account tokens.
    case changes = 20
    /// Refund histories and order numbers.
    case lookups = 10
    /// Test notifications.
    case tests = 1
}
