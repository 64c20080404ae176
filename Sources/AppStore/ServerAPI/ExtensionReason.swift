/// Why a subscription's renewal date is put off (Apple, `extendReasonCode`).
public enum ExtensionReason: Int, Hashable, Codable, Sendable {
    case undeclared
    case customerSatisfaction
    case other
    case serviceIssue
}
