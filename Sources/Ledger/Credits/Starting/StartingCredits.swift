package import Foundation
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

/// The starting credits that an account got in an app and environment. There is one at most.
package struct StartingCreditsGrant: Hashable, Sendable {
    package var account: AccountID
    package var scope: Scope
    package var credits: Credits
    /// Apple's `appTransactionId` that the account has shown; `nil` if the setting asks for none.
    package var appTransactionID: String?
    package var date: Date

    package init(account: AccountID, scope: Scope, credits: Credits, appTransactionID: String? = nil, date: Date) {
        self.account = account
        self.scope = scope
        self.credits = credits
        self.appTransactionID = appTransactionID
        self.date = date
    }
}
