package import InAppPurchase

/// A subscription that an earlier version left with its former owner, though another account paid for its newest
/// period.
package struct MisplacedPurchase: Encodable, Sendable, CustomStringConvertible {
    package var original: OriginalTransaction.Key
    /// The account that owns it.
    package var owner: AccountID
    /// The account that its newest payment names.
    package var payer: AccountID

    package init(_ original: OriginalTransaction, payer: AccountID) {
        self.original = original.key
        owner = original.owner
        self.payer = payer
    }

    /// The subscription in one line: its owner, app, environment, original transaction and payer.
    package var description: String {
        let place = "account \(owner.text), \(original.app), \(original.environment.rawValue)"
        return "\(place), original transaction \(original.originalID): paid by account \(payer.text)"
    }
}
