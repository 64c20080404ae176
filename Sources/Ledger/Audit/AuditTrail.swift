/// Every receipt, decision and admin act, in the order in which they were committed. Append-only.
package protocol AuditTrail: AuditSeals {
    /// Appends what happened outside the ledger, such as a change of the catalog. Durable when it returns.
    func append(_ entry: AuditEntry) async throws

    /// Rows with a greater sequence number than `sequence`, oldest first; at most `limit`.
    func auditRows(after sequence: Int, limit: Int) async throws -> [AuditRow]

    /// Erases the content of rows, whose hashes stay, and appends a row that names them (``ErasedRows``): a check finds
    /// contents that are gone and that no row names. An account's many rows take several transactions, each with a row
    /// that names what it erased.
    ///
    /// - Returns: how many rows it was about; the second time, of an account 0 and no further row.
    /// - Throws: ``ErasureRefusal``; then nothing is erased.
    func eraseContent(_ choice: ErasureChoice, _ act: SupportAct) async throws -> ErasureOutcome
}
