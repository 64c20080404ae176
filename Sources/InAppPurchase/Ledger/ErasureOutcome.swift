/// What an erasure did.
public struct ErasureOutcome: Hashable, Sendable {
    /// Rows that had a content and have none now.
    public var erased = 0
    /// Rows that had none before, and are named now.
    public var named = 0

    public init(erased: Int = 0, named: Int = 0) {
        self.erased = erased
        self.named = named
    }
}
