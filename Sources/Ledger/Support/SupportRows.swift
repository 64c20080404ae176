package import InAppPurchase
package import Foundation

/// The rows that support acts read and write besides those of every decision.
package protocol SupportRows: LedgerTransaction {
    func account(_ id: AccountID) throws -> AccountFacts?
    /// Blocks the account since the date; unblocks it without one.
    func setBlocked(_ account: AccountID, since date: Date?) throws
    /// Offers the account the channel beta since the date; no longer without one.
    func setBeta(_ account: AccountID, since date: Date?) throws
    /// Makes the account a tester since the date; no tester without one.
    func setTester(_ account: AccountID, since date: Date?) throws
    /// Of which the account has a balance, or owns an original transaction.
    func scopes(of account: AccountID) throws -> Set<Scope>
    func originalTransactions(of account: AccountID, in scope: Scope) throws -> [OriginalTransaction]
    /// Forgets an original transaction, its transactions and their deliveries to all its owners until they are written again. The rows
    /// stay.
    func forget(_ original: OriginalTransaction, at date: Date) throws
    /// Closes the open sessions, and returns how many there were.
    func closeSessions(of account: AccountID, at date: Date) throws -> Int

    func adjustment(withKey key: String, of account: AccountID, in scope: Scope) throws -> RecordedAdjustment?
    func write(_ adjustment: RecordedAdjustment) throws
}
