/// What the store says a subscription is in now.
///
/// Source: Apple, "Get All Subscription Statuses", `status`.
public enum SubscriptionStatus: Int, Hashable, Sendable, CaseIterable {
    case active = 1
    case expired
    case billingRetry
    case gracePeriod
    case revoked
}
