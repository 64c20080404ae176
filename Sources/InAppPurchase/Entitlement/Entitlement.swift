/// The result of a purchase history: access, and the credits earned.
public struct Entitlement: Hashable, Sendable {
    /// Whether the product may be used at the given date.
    public var access: Access
    /// The credits earned by the whole history, before anything is spent.
    public var credits: Credits

    public init(access: Access, credits: Credits) {
        self.access = access
        self.credits = credits
    }
}
