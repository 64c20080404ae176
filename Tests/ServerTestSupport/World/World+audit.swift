import GRDB
import InAppPurchase
import LedgerSQLite
import Testing

@testable import LedgerSQL

extension World {
    /// The contents of the audit trail's rows of one kind, in order.
    package func auditRows(of kind: String) async throws -> [String] {
        let ledger = try #require(ledger as? SQLLedger)
        return try await ledger.read { rows in
            try rows.all("SELECT content FROM audit WHERE kind = ? ORDER BY sequence", [kind]).map { try $0["content"] }
        }
    }
}
