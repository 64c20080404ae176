/// How many requests a second the store takes (Apple, "Identifying rate limits"), by what is asked.
///
/// For each app, in Production; the sandbox takes a tenth.
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
