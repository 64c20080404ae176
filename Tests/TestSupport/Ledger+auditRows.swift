package import Ledger

extension Ledger {
    /// Returns rows with a greater sequence number than `sequence`, oldest first; at most `limit`.
    package func auditRows(after sequence: Int, limit: Int) async throws -> [AuditRow] {
        try await auditRows(matching: AuditFilter(), after: sequence, limit: limit).rows
    }
}
