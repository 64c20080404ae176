/// The result of an erasure.
package struct ErasureOutcome: Hashable, Sendable {
    /// The number of rows that had a content and have none now.
    package var erased = 0
    /// The number of rows that had none before, and are named now.
    package var named = 0

    package init(erased: Int = 0, named: Int = 0) {
        self.erased = erased
        self.named = named
    }
}
