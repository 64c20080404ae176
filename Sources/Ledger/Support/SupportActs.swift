package import Foundation
package import InAppPurchase

/// Acts of administrators on accounts. Each act is one database transaction, is recorded in the audit trail with the
/// state before and after it, and is idempotent.
///
/// All throw ``LedgerRefusal/unknownAccount`` if this server has no such account.
package protocol SupportActs: Sendable {
    /// Transfers an original transaction to an account, whatever its product's ownership and however often it was
    /// transferred before. Access follows at once; credits stay with the account that they were given to. Afterwards no
    /// player's claim transfers the original transaction, only another act.
    ///
    /// - Returns: the original transaction after the transfer. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction`` if it is not recorded with an owner, since nobody
    ///   presented a transaction of it yet.
    func transfer(
        _ original: OriginalTransaction.Key, to account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction

    /// Gives or takes back credits, once per idempotency key. Taking back more than the balance makes it negative, as a
    /// refund does: credits that are earned later pay the debt.
    ///
    /// - Returns: the balance afterwards; the same again for the same key.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` if the key was used for another amount or currency;
    ///   ``LedgerRefusal/unknownCurrency(named:)`` if neither the app and its products name the currency nor the
    ///   account ever had any of it; then the key stays usable.
    func adjust(_ adjustment: Adjustment, _ act: SupportAct, in context: RecordingContext) async throws -> Int

    /// Blocks an account: its tokens and its recovery code are refused with ``LedgerRefusal/accountBlocked(_:)``. It
    /// keeps what it owns, and its pending receipts are still verified and recorded.
    ///
    /// - Returns: the date since which it is blocked; the second time the first date.
    func block(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Unblocks an account: everything is as before. Does nothing if it is not blocked.
    func unblock(_ account: AccountID, _ act: SupportAct) async throws

    /// Makes an account a tester, as the setting `testers` does: sandbox purchases entitle it if the app admits
    /// testers.
    ///
    /// - Returns: the date since which it is one; the second time the first date.
    func addTester(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Reverses ``addTester(_:_:)``. Does nothing if no administrator made the account a tester.
    func removeTester(_ account: AccountID, _ act: SupportAct) async throws

    /// Offers an account the versions on the channel beta too.
    ///
    /// - Returns: the date since which they are offered; the second time the first date.
    func addToBeta(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Reverses ``addToBeta(_:_:)``. Does nothing if the account is not on the channel.
    func removeFromBeta(_ account: AccountID, _ act: SupportAct) async throws

    /// Resets the sandbox of a tester, who can then buy everything again: the original transactions that the account
    /// owns in environments other than Production are forgotten, and postings make every balance there zero.
    ///
    /// A forgotten original transaction has no owner. The first account that presents it again gets it as if it were
    /// new; a notification or an answer of the App Store does not restore it. Credits that other accounts got by these
    /// original transactions are taken back too.
    ///
    /// - Parameter app: `nil` for all apps.
    /// - Returns: the number of original transactions that were forgotten; the second time 0.
    func resetSandbox(
        of account: AccountID, app: BundleID?, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Int

    /// Ends every session of an account permanently. Its recovery code opens new ones.
    ///
    /// - Returns: the number of sessions that were open; the second time 0.
    func revokeSessions(of account: AccountID, _ act: SupportAct) async throws -> Int
}
