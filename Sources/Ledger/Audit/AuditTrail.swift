/// The audit trail: every receipt, decision and administrator's act, in the order in which they were committed.
/// Append-only.
package protocol AuditTrail: AuditSeals {
    /// Appends an event outside the ledger, such as a change of the catalog. Durable when it returns.
    func append(_ entry: AuditEntry) async throws

    /// Returns rows with a greater sequence number than `sequence`, oldest first; at most `limit`.
    func auditRows(after sequence: Int, limit: Int) async throws -> [AuditRow]

    /// Erases the content of rows, whose hashes stay, and appends a row that names them (``ErasedRows``): a check
    /// reports contents that are missing and that no row names. An account's many rows take several transactions, each
    /// with a row that names what it erased.
    ///
    /// - Returns: the number of rows concerned; the second time 0 for an account, and no further row is appended.
    /// - Throws: ``ErasureRefusal``; then nothing is erased.
    func eraseContent(_ choice: ErasureChoice, _ act: SupportAct) async throws -> ErasureOutcome
}
