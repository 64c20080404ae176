/// What becomes of credits that were spent before their purchase was refunded.
public enum RefundPolicy: String, Hashable, Sendable, CaseIterable {
    /// They are owed: the balance may be negative, and what is earned next pays it.
    case debt
    /// They are forgiven: a refund takes no balance below zero.
    case clamp
}
