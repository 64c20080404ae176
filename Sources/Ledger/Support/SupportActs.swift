package import InAppPurchase
package import Foundation

/// What administrators do for players, and to them. Each act is one database transaction, stands in the audit trail with
/// what was before and after it, and is safe to repeat.
///
/// All throw ``LedgerRefusal/unknownAccount`` where this server has no such account.
package protocol SupportActs: Sendable {
    /// Gives an original transaction to an account, whatever its product's ownership and however often it moved before. Access follows at
    /// once; credits stay with whom they were given to. No player's claim transfers the original transaction afterwards, only another act.
    ///
    /// - Returns: the original transaction as it is then. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction`` where nobody presented a transaction of the original transaction yet.
    func transfer(
        _ original: OriginalTransaction.Key, to account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction

    /// Gives or takes back credits, once per key. Taking back more than there is makes the balance negative, as a refund
    /// does: what was spent already is made good by what is earned next.
    ///
    /// - Returns: the balance after it; the same again for the same key.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` where the key stands for another amount or currency;
    ///   ``LedgerRefusal/unknownCurrency(named:)`` where neither the app and its products name the currency nor the
    ///   account ever had any of it; then the key is not used up.
    func adjust(_ adjustment: Adjustment, _ act: SupportAct, in context: RecordingContext) async throws -> Int

    /// Shuts an account out: its tokens and its recovery code are answered ``LedgerRefusal/accountBlocked(_:)``. What it
    /// owns stays its own, and receipts that wait for the store are settled.
    ///
    /// - Returns: since when it is blocked; the second time the first date.
    func block(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Lets a blocked account in again: everything is as before. Nothing happens where it is not blocked.
    func unblock(_ account: AccountID, _ act: SupportAct) async throws

    /// Makes an account a tester, as the setting `testers` does: sandbox purchases entitle it where the app admits
    /// testers.
    ///
    /// - Returns: since when it is one; the second time the first date.
    func addTester(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Takes that back. Nothing happens where it is none by an administrator.
    func removeTester(_ account: AccountID, _ act: SupportAct) async throws

    /// Offers an account the versions on the channel beta too.
    ///
    /// - Returns: since when; the second time the first date.
    func addToBeta(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Takes that back. Nothing happens where it is not so.
    func removeFromBeta(_ account: AccountID, _ act: SupportAct) async throws

    /// Empties the sandbox of a tester, who can then buy everything again: the original transactions that the account owns in
    /// environments other than Production are forgotten, and every balance there becomes zero by postings.
    ///
    /// What is forgotten belongs to nobody. The first account that presents it again gets it as if it were new; what
    /// the store tells by itself brings nothing back. Credits that other accounts got by these original transactions go too.
    ///
    /// - Parameter app: nil for all apps.
    /// - Returns: how many original transactions were forgotten; the second time 0.
    func resetSandbox(
        of account: AccountID, app: BundleID?, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Int

    /// Ends every session of an account for ever. Its recovery code opens new ones.
    ///
    /// - Returns: how many were open; the second time 0.
    func revokeSessions(of account: AccountID, _ act: SupportAct) async throws -> Int
}
