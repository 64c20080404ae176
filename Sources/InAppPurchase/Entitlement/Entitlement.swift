public import Foundation

/// The result of a purchase history: access, and the credits earned.
public struct Entitlement: Hashable, Sendable {
    /// Whether the product may be used at the given date.
    public var access: Access
    /// The credits earned by the whole history, before anything is spent.
    public var credits: Credits
    /// The times of access that the purchases add up to, oldest first, for products whose time this server counts;
    /// otherwise empty. Apps show them; they decide nothing.
    public var runs: [DateInterval]

    /// The maximum number of runs that apps are told: no screen shows more, and no answer grows with the years.
    package static let maximumRuns = 20

    public init(access: Access, credits: Credits, runs: [DateInterval] = []) {
        self.access = access
        self.credits = credits
        self.runs = runs
    }
}
