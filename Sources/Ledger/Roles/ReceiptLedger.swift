package import Foundation
package import InAppPurchase

/// Receipts, from their arrival to what they deliver.
package protocol ReceiptLedger: Sendable {
    // MARK: Receipts

    /// Records bytes that could not be parsed as a receipt: only the reason, and their hash and length as far as they
    /// are known, so that invalid input cannot fill the disk.
    ///
    /// - Parameter id: the ID that the client is told, by which the row can be found.
    func recordUnreadable(_ bytes: UnreadableBytes, id: String, reason: String, from account: AccountID, at date: Date)
        async throws

    /// Records a receipt as pending before the App Store is asked, due for the retry worker at `retry`.
    ///
    /// Idempotent: the same receipt of the same account returns what was recorded the first time.
    /// - Parameter isVerified: whether the server verified it by itself. It is then limited by
    ///   ``ReceiptByteBudgets/verified`` alone, so that nobody's forgeries hold up what was paid for.
    /// - Throws: ``LedgerRefusal/tooManyPending`` if the account has ``PendingReceipt/maximumPending`` pending receipts
    ///   already, ``LedgerRefusal/tooManyTransactionIDs`` for a transaction ID if as many of the account, of its
    ///   address or in all are pending as ``PendingReceipt`` says, ``LedgerRefusal/tooManyBytes(_:)`` if a budget of
    ///   ``ReceiptByteBudgets/pending`` is exhausted. Then nothing is recorded.
    func enqueue(
        _ receipt: Receipt, isVerified: Bool, retryAt retry: Date, within budgets: ReceiptByteBudgets, at date: Date
    ) async throws -> PendingReceipt

    /// Records the result of verifying a receipt, and the receipt too if it was not recorded before, and delivers.
    ///
    /// Idempotent and independent of order: everything is delivered and posted once. A receipt that was accepted once
    /// stays accepted, whatever a later verification says.
    ///
    /// The bytes of a receipt that cannot be parsed (`malformed`) are not stored, and removed if they were. The bytes
    /// of others are stored as far as the context's ``ReceiptByteBudgets`` allow.
    /// - Throws: ``LedgerRefusal/tooManyBytes(_:)`` for a receipt that is new and rejected, if a budget of
    ///   ``ReceiptByteBudgets/rejected`` is exhausted. Then nothing is recorded. A receipt that is larger than the
    ///   whole budget never fits; it is recorded without its bytes.
    func record(_ receipt: Receipt, _ result: Result<VerifiedReceipt, ReceiptRejection>, in context: RecordingContext)
        async throws -> ReceiptAnswer

    /// Returns whether a copy of the transaction is recorded.
    func contains(_ transaction: Transaction.Key) async throws -> Bool

    /// Returns whether any transaction of the same original transaction is recorded, with an owner or without one.
    func containsOriginal(of transaction: Transaction) async throws -> Bool

    /// Makes every pending receipt due now, after an outage has ended, including those that are due already, so that
    /// they take their turns in the order of their arrival. Those with ``Attempts/areAmbiguous`` keep their retry time.
    func retryPendingNow(at date: Date) async throws

    /// Postpones a pending receipt. Does nothing if it was answered meanwhile.
    func postpone(_ receipt: Receipt, attempts: Attempts, until retry: Date, at date: Date) async throws

    /// Leases pending receipts that are due: of each app, or address, an equal share, in the order in which they
    /// became due. Each is postponed to `lease`, so that no other worker takes it.
    func dueReceipts(in queue: ReceiptQueue, limit: Int, lease: Date, at date: Date) async throws -> [PendingReceipt]

    /// Returns the current answer to a receipt; `nil` if this account sent none with the ID.
    func receipt(_ id: String, of account: AccountID, in context: RecordingContext) async throws -> ReceiptAnswer?

    // MARK: Credits of periods that begin later

    /// Posts the credits of periods that were paid for ahead and have begun by the context's date, and delivers the
    /// periods. Idempotent.
    /// - Returns: the number of their transactions. A large number takes several calls.
    func creditBegunPeriods(in context: RecordingContext) async throws -> Int

    // MARK: App receipts

    /// Returns the questions to the App Store about a receipt.
    ///
    /// A pending receipt is asked about again, including everything that it would deliver by now.
    ///
    /// - Parameter verified: what the receipt's signature proves.
    func question(
        on receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> AppReceiptQuestion

    /// Records the App Store's answer about a receipt as a notification is recorded: as facts, which neither claim
    /// nor transfer anything. The original transactions of the receipt are not asked about again for
    /// ``AppReceiptQuestion/answerLifetime``.
    func recordAnswer(
        _ facts: VerifiedReceipt, to receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws

    /// Delivers those transactions of a pending receipt that need no answer (all but ``AppReceiptQuestion/waiting``),
    /// while the App Store cannot be asked. The receipt is asked about again at `retry`, whatever was delivered.
    ///
    /// Idempotent: nothing is delivered twice. If the receipt was answered meanwhile, it keeps that answer.
    ///
    /// - Returns: the answer on the whole receipt if none of its transactions has to wait, otherwise `pending`.
    func deliverMeanwhile(
        _ receipt: Receipt, _ verified: VerifiedReceipt, attempts: Attempts, until retry: Date,
        in context: RecordingContext
    ) async throws -> ReceiptAnswer

    // MARK: Provisional access

    /// Gives access to the purchases of a pending receipt until the App Store has answered, and at most for
    /// ``RecordingContext/provisionalTime`` from when the receipt was recorded. Each purchase is opened in this way
    /// once, for the first account that presents it.
    ///
    /// Idempotent: the same receipt returns the same date.
    ///
    /// - Parameter verified: what the receipt's own signature proves.
    /// - Returns: the end of the access; `nil` if the receipt gives nothing that the account does not have already.
    func openProvisionally(
        _ receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> Date?

    // MARK: Facts without a receipt

    /// Records facts that the App Store was asked for, and delivers.
    ///
    /// - Parameter cause: the reason for asking; stored with the postings.
    func observe(_ facts: VerifiedReceipt, cause: String, in context: RecordingContext) async throws -> Observation
}
