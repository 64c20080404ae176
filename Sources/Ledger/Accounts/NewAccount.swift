package import Foundation
package import InAppPurchase

/// An account to be created with its first session; its secrets as their SHA-256.
package struct NewAccount: Sendable {
    /// The time for which a request can be repeated with its idempotency key, in seconds: a day, since an app may be
    /// offline for hours before it learns that there was no answer.
    package static let keyLifetime: TimeInterval = 86_400
    /// How often a request can be repeated: an app that tries every five minutes for a day, three times over.
    package static let maximumRepeats = 1_000

    package var account: AccountID
    package var token: Data
    package var recoveryCode: Data
    /// `nil` if every request is to create an account.
    package var idempotencyKey: Data?
    package var date: Date

    package init(_ account: AccountID, token: Data, recoveryCode: Data, idempotencyKey: Data? = nil, at date: Date) {
        self.account = account
        self.token = token
        self.recoveryCode = recoveryCode
        self.idempotencyKey = idempotencyKey
        self.date = date
    }
}
