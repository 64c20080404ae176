/// The reason for extending a subscription's renewal date (Apple, `extendReasonCode`).
public enum ExtensionReason: Int, Hashable, Codable, Sendable {
    /// 0: no reason is given.
    case undeclared
    /// 1: for customer satisfaction.
    case customerSatisfaction
    /// 2: another reason.
    case other
    /// 3: a service issue or outage.
    case serviceIssue
}
