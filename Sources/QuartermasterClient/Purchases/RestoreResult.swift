/// The result of a restore.
public struct RestoreResult: Sendable, Equatable {
    /// The number of transactions that were sent.
    public var sent = 0
    /// The number that the server has verified.
    public var verified = 0
    /// The number that wait for the App Store's answer.
    public var pending = 0
    /// The number that the server rejected.
    public var rejected = 0
    /// Ways for the player to get those that another account owns.
    public var ownedByAnotherAccount: [Remedy] = []

    public init() {}
}
