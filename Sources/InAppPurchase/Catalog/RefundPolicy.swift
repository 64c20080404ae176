/// The policy for credits that were spent before their purchase was refunded.
public enum RefundPolicy: String, Hashable, Sendable, CaseIterable {
    /// They are owed: the balance may become negative, and credits earned later pay the debt.
    case debt
    /// They are forgiven: a refund takes no balance below zero.
    case clamp
}
