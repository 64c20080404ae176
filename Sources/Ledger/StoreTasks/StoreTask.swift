package import Foundation
package import InAppPurchase

/// A change that the store is asked for because of something that was recorded; stored until the store accepts or
/// refuses it.
package struct StoreTask: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Finish a transaction that was delivered.
        case finish
        /// Name the new owner of an original transaction in its `appAccountToken`.
        case setAccountToken
    }

    /// The unique key of a task. The same task again replaces the one that waits.
    package struct Key: Hashable, Sendable {
        package var kind: Kind
        package var app: BundleID
        package var environment: Environment
        /// The transaction ID, or the original transaction ID to set a token.
        package var id: TransactionID

        package init(kind: Kind, app: BundleID, environment: Environment, id: TransactionID) {
            self.kind = kind
            self.app = app
            self.environment = environment
            self.id = id
        }
    }

    package enum Outcome: String, Sendable {
        case done
        /// The store refuses the task for ever, or knows no such transaction.
        case refused
        /// The store could not be asked for so long that it is given up.
        case tooLate
        /// The app has no key for the store's API.
        case withoutKey
        /// The app's entry in the catalog does not ask for it any more.
        case switchedOff
    }

    /// The time in seconds after which a task is given up that the store could not be asked for: a month, longer than
    /// any outage, so that a key that is wrong for ever fills no disk.
    package static let lifetime: TimeInterval = 30 * 86_400
    /// The age in seconds from which periods of a subscription are not finished: an app receipt lists those of years,
    /// which the app finished then.
    package static let finishablePeriodAge: TimeInterval = 30 * 86_400

    package var key: Key
    /// The owner when the task was queued, whose UUID a token becomes.
    package var account: AccountID
    /// The date when it was queued.
    package var date: Date
    package var attempts: Attempts

    package init(key: Key, account: AccountID, date: Date, attempts: Attempts = Attempts()) {
        self.key = key
        self.account = account
        self.date = date
        self.attempts = attempts
    }

    /// Returns whether it is given up.
    package func isTooLate(at now: Date) -> Bool { now.timeIntervalSince(date) > Self.lifetime }
}
