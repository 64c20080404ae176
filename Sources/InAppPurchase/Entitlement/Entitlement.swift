/// What a purchase history entitles to: access, and credits earned.
public struct Entitlement: Hashable, Sendable {
    public var access: Access
    /// Earned in all by this history, before anything is spent.
    public var credits: Credits

    public init(access: Access, credits: Credits) {
        self.access = access
        self.credits = credits
    }
}
