import InAppPurchase

/// The present status of a subscription.
///
/// Source: Apple, "Get All Subscription Statuses", `status`.
public enum SubscriptionStatus: Int, Hashable, Sendable, CaseIterable {
    /// The subscription is paid for.
    case active = 1
    /// The subscription has expired.
    case expired
    /// The App Store still tries to charge the customer, outside of a billing grace period.
    case billingRetry
    /// Billing failed, and access continues in the billing grace period.
    case gracePeriod
    /// The subscription was refunded or revoked.
    case revoked
}

extension RenewalFacts {
    /// The facts with the status that the App Store stated beside them.
    func with(status: Int?) -> Self {
        var facts = self
        facts.status = status.map { Status(number: $0, date: signedDate) }
        return facts
    }
}
