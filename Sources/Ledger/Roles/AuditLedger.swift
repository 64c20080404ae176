package import Foundation
package import InAppPurchase

/// The audit trail: every receipt, decision and administrator's act, in the order in which they were committed.
/// Append-only.
///
/// A hash chain lies over it: one sealer at a time links each row to the one before, and signs checkpoints. Writers
/// append rows with their content's hash only, so that they never wait for each other because of the chain.
package protocol AuditLedger: Sendable {
    // MARK: Audit trail

    /// Appends an event outside the ledger, such as a change of the catalog. Durable when it returns.
    func append(_ entry: AuditEntry) async throws

    /// Returns the rows that a filter selects with a greater sequence number than `sequence`, oldest first; at most
    /// `limit`, of at most ``AuditFilter/maximumLookedAt`` that are looked at.
    func auditRows(matching filter: AuditFilter, after sequence: Int, limit: Int) async throws -> AuditRowPage

    /// Returns the rows that a filter selects with a smaller sequence number than `sequence`, newest first; otherwise
    /// as ``auditRows(matching:after:limit:)``.
    ///
    /// - Parameter sequence: `nil` for the newest rows.
    func newestAuditRows(matching filter: AuditFilter, before sequence: Int?, limit: Int) async throws -> AuditRowPage

    /// Erases the content of rows, whose hashes stay, and appends a row that names them (``ErasedRows``): a check
    /// reports contents that are missing and that no row names. An account's many rows take several transactions, each
    /// with a row that names what it erased.
    ///
    /// - Returns: the number of rows concerned; the second time 0 for an account, and no further row is appended.
    /// - Throws: ``ErasureRefusal``; then nothing is erased.
    func eraseContent(_ choice: ErasureChoice, _ act: SupportAct) async throws -> ErasureOutcome

    // MARK: Seals of the audit trail

    /// Seals rows that have no seal yet, oldest first, in one transaction. Of several concurrent sealers one does it.
    ///
    /// The highest sequence number that was sealed is stored apart from the rows. If the trail ends before it when
    /// further rows are sealed, its end was cut off: a row of kind ``AuditEntry/Kind/trailCut`` is appended, which
    /// stays, and no check passes any more.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows.
    ///   - date: the current date, for a row that records a cut.
    ///   - seal: makes a row's seal from the previous one; `nil` for the very first row.
    /// - Returns: the number of rows that were sealed; if 0, nothing changed.
    func sealRows(atMost limit: Int, at date: Date, _ seal: @escaping @Sendable (AuditRow, Seal?) throws -> Seal)
        async throws -> Int

    /// Adds a checkpoint of the newest seal, in one transaction.
    ///
    /// - Parameter sign: is given the newest seal and the newest checkpoint, and returns `nil` if no checkpoint is due.
    ///   Not called if the newest seal has a checkpoint already, or if nothing is sealed.
    /// - Returns: the checkpoint that was added, or `nil`.
    func addCheckpoint(
        _ sign: @escaping @Sendable (Seal, Checkpoint?) throws -> Checkpoint?
    ) async throws -> Checkpoint?

    /// Reads the trail in one consistent snapshot, item by item, so that a trail of millions of rows is never in memory
    /// as a whole.
    ///
    /// The sealed rows come in the order of their seals, each checkpoint after the seal it names, then the rows without
    /// a seal, and finally ``TrailItem/end(highest:)``.
    ///
    /// - Parameters:
    ///   - sequence: only rows with a greater sequence number are read, and ``TrailItem/beginning(after:)`` tells the
    ///     position of the chain before them; 0 for all rows.
    ///   - initial: the initial result, which `take` updates with every item.
    /// - Throws: ``TrailError`` if a row cannot have been written by this server, and what `take` throws.
    func readTrail<Result: Sendable>(
        after sequence: Int, into initial: Result, _ take: @escaping @Sendable (inout Result, TrailItem) throws -> Void
    ) async throws -> Result
}

extension AuditLedger {
    /// Returns rows with a smaller sequence number than `sequence`, newest first; at most `limit`.
    ///
    /// - Parameters:
    ///   - account: the account that the rows are about; `nil` for all rows, with or without one.
    ///   - sequence: that of the last row of the previous page; `nil` for the newest rows.
    package func newestAuditRows(of account: AccountID?, before sequence: Int?, limit: Int) async throws -> [AuditRow] {
        try await newestAuditRows(matching: AuditFilter(account: account), before: sequence, limit: limit).rows
    }
}
