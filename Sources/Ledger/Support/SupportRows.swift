package import Foundation
package import InAppPurchase

/// Reads and writes the rows that support acts need besides those of ``LedgerTransaction``.
package protocol SupportRows: LedgerTransaction {
    /// Returns the account, or `nil` if there is none with this ID.
    func account(_ id: AccountID) throws -> AccountFacts?
    /// Returns the account with this external ID, or `nil` if there is none.
    func account(withExternalID id: ExternalID) throws -> AccountFacts?
    /// Records the account's external ID; `nil` removes it.
    func setExternalID(_ id: ExternalID?, of account: AccountID) throws
    /// Returns the account's notes, newest first.
    func notes(of account: AccountID) throws -> [AccountNote]
    func write(_ note: AccountNote, of account: AccountID) throws
    func removeNote(_ id: String, of account: AccountID) throws
    /// Blocks the account since the date; `nil` unblocks it.
    func setBlocked(_ account: AccountID, since date: Date?) throws
    /// Offers the account the channel beta since the date; `nil` ends that.
    func setBeta(_ account: AccountID, since date: Date?) throws
    /// Makes the account a tester since the date; `nil` ends that.
    func setTester(_ account: AccountID, since date: Date?) throws
    /// Returns the scopes in which the account has a balance or owns an original transaction.
    func scopes(of account: AccountID) throws -> Set<Scope>
    func originalTransactions(of account: AccountID, in scope: Scope) throws -> [OriginalTransaction]
    /// Forgets an original transaction, its transactions and their deliveries to all its owners until they are written
    /// again. The rows stay.
    func forget(_ original: OriginalTransaction, at date: Date) throws
    /// Returns the number of open sessions.
    func openSessions(of account: AccountID) throws -> Int
    /// Closes the open sessions, and returns how many there were.
    func closeSessions(of account: AccountID, at date: Date) throws -> Int

    /// Replaces the account's recovery code with the one that has this SHA-256.
    func setRecoveryCode(_ digest: Data, of account: AccountID) throws
    /// Returns whether the account's recovery code has this SHA-256.
    func isRecoveryCode(_ digest: Data, of account: AccountID) throws -> Bool
    /// Returns a receipt and the account that sent it, or `nil` if there is none with this ID.
    func listedReceipt(_ id: String) throws -> (account: AccountID, facts: ReceiptFacts)?
    /// Makes a receipt that waits for the App Store due at the date.
    func setRetry(ofReceipt id: String, at date: Date) throws

    func adjustment(withKey key: String, of account: AccountID, in scope: Scope) throws -> RecordedAdjustment?
    func write(_ adjustment: RecordedAdjustment) throws

    /// Returns the account's grant with this ID, whether or not it stands.
    func grant(_ id: String, of account: AccountID) throws -> RecordedGrant?
    /// Returns the account's grant that was given with the idempotency key, whether or not it stands.
    func grant(withKey key: String, of account: AccountID, in app: BundleID) throws -> RecordedGrant?
    func write(_ grant: RecordedGrant) throws
    /// Takes a grant back at the date.
    func revokeGrant(_ id: String, of account: AccountID, at date: Date) throws
}

/// The change by an administrator's act: the state that it concerns, before and after it.
package struct SupportChange: Hashable, Sendable {
    package var before: [String: JSONValue]
    /// The state after it; the same as ``before`` if the act changes nothing.
    package var after: [String: JSONValue]

    package init(before: [String: JSONValue], after: [String: JSONValue]) {
        self.before = before
        self.after = after
    }
}
