package import Foundation
package import InAppPurchase

/// Looks up an account, and acts on it.
///
/// Each act is one database transaction, is recorded in the audit trail with the state before and after it, and is
/// idempotent. All throw ``LedgerRefusal/unknownAccount`` if this server has no such account.
package protocol SupportLedger: Sendable {
    // MARK: Reports for support

    /// Returns an account with everything that is recorded about it.
    ///
    /// - Parameters:
    ///   - position: of the last purchase of the previous page; `nil` for the newest purchases.
    ///   - limit: the maximum number of entries of each list; the newest are returned.
    ///   - reach: the apps of the administrator's token: the report has their part.
    /// - Returns: `nil` if there is no such account.
    func accountReport(
        of account: AccountID, after position: PurchasePosition?, limit: Int, narrowedTo reach: AdminReach,
        in context: RecordingContext
    ) async throws -> AccountReport?

    /// Returns the account with the external ID, compared byte for byte; `nil` if there is none.
    func account(withExternalID id: ExternalID) async throws -> AccountFacts?

    /// Returns accounts, newest first.
    ///
    /// - Parameter account: the last account of the previous page; `nil` for the first page.
    /// - Returns: at most `limit`; `nil` if there is no such account.
    func newestAccounts(after account: AccountID?, limit: Int) async throws -> [AccountFacts]?

    /// Returns the accounts whose IDs begin so, in the order of their IDs.
    ///
    /// - Returns: at most `limit`.
    func accounts(beginning prefix: AccountPrefix, limit: Int) async throws -> [AccountFacts]

    /// Returns the accounts that an administrator made testers, latest first.
    ///
    /// - Parameter position: that of the last one of the previous page; `nil` for the first page.
    /// - Returns: at most `limit`.
    func testers(after position: TesterPosition?, limit: Int) async throws -> [AccountFacts]

    /// Returns the purchases that a name stands for, in any app and environment.
    ///
    /// - Returns: `nil` if no transaction is recorded with this order; empty if none is recorded with this ID.
    func purchases(named name: PurchaseName) async throws -> FoundPurchases?

    /// Returns the app that an act of support is about; `nil` if it is about a whole account, and if the receipt, its
    /// app or the grant is not known.
    func app(of request: SupportRequest) async throws -> BundleID?

    /// Returns the newest recorded transaction of an original transaction that has terms, by its date of purchase; or
    /// else the one that gave it its ID. `nil` if neither is recorded.
    func newestTransaction(of original: OriginalTransaction.Key) async throws -> RecordedTransaction?

    /// Returns the account that sent a receipt, including receipts that could not be read; `nil` if there is none with
    /// the ID.
    func account(ofReceipt id: String) async throws -> AccountID?

    // MARK: Acts of administrators

    /// Returns what an act would change, and records nothing: it is done in a transaction that is rolled back.
    ///
    /// - Throws: as the act itself.
    func preview(
        _ request: SupportRequest, _ act: SupportAct, in context: RecordingContext
    ) async throws -> SupportChange

    /// Transfers an original transaction to an account, whatever its product's ownership and however often it was
    /// transferred before. Access follows at once; credits stay with the account that they were given to. Afterwards no
    /// player's claim transfers the original transaction, only another act.
    ///
    /// One that nobody presented becomes the account's, with its credits.
    ///
    /// - Returns: the original transaction after the transfer. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction`` if no transaction of it is recorded, or if a sandbox
    ///   reset forgot it.
    func transfer(
        _ original: OriginalTransaction.Key, to account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction

    /// Takes the last transfer of an original transaction back: it belongs to the former owner again, until an
    /// administrator transfers it. Credits stay where they are.
    ///
    /// - Returns: the original transaction afterwards. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction``; ``LedgerRefusal/notTransferred`` if it never was.
    func undoTransfer(of original: OriginalTransaction.Key, _ act: SupportAct, in context: RecordingContext)
        async throws -> OriginalTransaction

    /// Gives or takes back credits, once per idempotency key. Taking back more than the balance makes it negative, as a
    /// refund does: credits that are earned later pay the debt.
    ///
    /// - Returns: the balance afterwards; the same again for the same key.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` if the key was used for another amount or currency;
    ///   ``LedgerRefusal/unknownCurrency(named:)`` if neither the app and its products name the currency nor the
    ///   account ever had any of it; then the key stays usable.
    func adjust(_ adjustment: Adjustment, _ act: SupportAct, in context: RecordingContext) async throws -> Int

    /// Gives an account access to a product without a purchase, once per idempotency key: as a purchase of the product
    /// would, but no credits, and counted in no report. Beside a purchase the later end counts. It stays with the
    /// account, whatever is transferred.
    ///
    /// - Returns: the grant; the same again for the same key, even after it ended or was taken back.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` if the key was used for another grant;
    ///   ``LedgerRefusal/unknownProduct``, ``LedgerRefusal/nothingToGrant``, ``LedgerRefusal/grantEnded``,
    ///   ``LedgerRefusal/tooManyGrants``; then the key stays usable.
    func grant(_ grant: ProductGrant, _ act: SupportAct, in context: RecordingContext) async throws -> ProductGrant

    /// Takes a grant back: its access ends at once.
    ///
    /// - Returns: the date since which it is taken back; the second time the first date.
    /// - Throws: ``LedgerRefusal/unknownGrant``.
    func revokeGrant(
        _ id: String, of account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Date

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

    /// Records the ID that the studio's own systems have for the player, in place of an earlier one; `nil` removes it.
    /// Does nothing the second time.
    ///
    /// - Throws: ``LedgerRefusal/externalIDInUse`` if another account has it.
    func setExternalID(_ id: ExternalID?, of account: AccountID, _ act: SupportAct) async throws

    /// Writes the act's reason down as a note on an account. Repeating the newest note writes nothing.
    ///
    /// - Returns: the note.
    /// - Throws: ``LedgerRefusal/tooManyNotes``.
    func addNote(_ id: String, to account: AccountID, _ act: SupportAct) async throws -> AccountNote

    /// Removes a note. Does nothing if the account has no such note.
    func removeNote(_ id: String, of account: AccountID, _ act: SupportAct) async throws

    /// Resets the sandbox of a tester, who can then buy everything again: the original transactions that the account
    /// owns in environments other than Production are forgotten, and postings make every balance there zero.
    ///
    /// A forgotten original transaction has no owner. The first account that presents it again gets it as if it were
    /// new; a notification or an answer of the App Store does not restore it. Credits that other accounts got by these
    /// original transactions are taken back too.
    ///
    /// - Parameter app: `nil` for all apps.
    /// - Returns: the number of original transactions that were forgotten; the second time 0.
    func resetSandbox(of account: AccountID, app: BundleID?, _ act: SupportAct, in context: RecordingContext)
        async throws -> Int

    /// Ends every session of an account permanently. Its recovery code opens new ones.
    ///
    /// - Returns: the number of sessions that were open; the second time 0.
    func revokeSessions(of account: AccountID, _ act: SupportAct) async throws -> Int

    /// Replaces the recovery code of an account whose player lost it. The old code stops working at once; sessions stay
    /// open.
    ///
    /// - Parameter digest: the SHA-256 of the new code.
    func setRecoveryCode(of account: AccountID, digest: Data, _ act: SupportAct) async throws

    /// Makes a receipt that waits for the App Store due now, whatever the App Store answered before.
    ///
    /// - Returns: the receipt; if it does not wait, or is due already, nothing changes.
    /// - Throws: ``LedgerRefusal/unknownReceipt``.
    func retryReceipt(_ id: String, _ act: SupportAct) async throws -> ReceiptFacts
}

extension SupportLedger {
    /// Returns an account with everything that is recorded about it in every app.
    package func accountReport(
        of account: AccountID, after position: PurchasePosition?, limit: Int, in context: RecordingContext
    ) async throws -> AccountReport? {
        try await accountReport(of: account, after: position, limit: limit, narrowedTo: .everything, in: context)
    }
}
