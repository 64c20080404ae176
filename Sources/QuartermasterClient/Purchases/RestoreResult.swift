/// The result of a restore.
public struct RestoreResult: Sendable, Equatable {
    /// How many were sent.
    public var sent = 0
    /// How many the server has verified.
    public var verified = 0
    /// How many wait for the App Store's answer.
    public var pending = 0
    /// How many the server rejected.
    public var rejected = 0
    /// Ways for the player to get those that another account owns.
    public var ownedByAnotherAccount: [Remedy] = []
}
