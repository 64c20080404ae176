package import InAppPurchase

/// An app's setting of the credits that an account starts with.
package struct StartingCredits: Hashable, Sendable {
    /// Empty if accounts start with none.
    package var credits: Credits
    /// The proof that an account must show first; `nil` if it needs none.
    package var proof: StartingCreditsProof?

    package init(credits: Credits = [:], proof: StartingCreditsProof? = nil) {
        self.credits = credits
        self.proof = proof
    }

    init(_ app: App) {
        credits = app.startingCredits
        proof = app.startingCreditsOnce
    }
}
