package import InAppPurchase

/// The original transactions that a ``PurchaseName`` stands for.
package struct FoundPurchases: Sendable {
    /// The original transactions that have an owner.
    package var originals: [OriginalTransaction]
    /// The original transactions that nobody presented.
    package var unclaimed: [UnclaimedPurchase]

    package init(originals: [OriginalTransaction] = [], unclaimed: [UnclaimedPurchase] = []) {
        self.originals = originals
        self.unclaimed = unclaimed
    }
}
