/// The status of a subscription (Apple, `status`).
enum SimulatorSubscriptionStatus: Int, CaseIterable, Sendable {
    case active = 1
    case expired, billingRetry, gracePeriod, revoked
}
