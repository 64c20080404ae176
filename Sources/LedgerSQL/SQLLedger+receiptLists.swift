import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func receipts(
        _ status: ListedReceipt.Status, after id: String?, limit: Int
    ) async throws -> [ListedReceipt]? {
        try await read { rows in
            var (date, last) = (Date.distantPast.milliseconds, "")
            if let id {
                guard let row = try rows.one("SELECT recordedAt FROM receipts WHERE id = ?", [id]) else { return nil }
                (date, last) = (try row["recordedAt"], id)
            }
            // The status is a literal in the statement, so that the partial index of these receipts is used.
            return try rows.all(
                """
                SELECT account, \(ReceiptFacts.columns) FROM receipts
                WHERE status = '\(status.rawValue)' AND (recordedAt, id) > (?, ?) ORDER BY recordedAt, id LIMIT ?
                """, [date, last, limit]
            ).map { try ListedReceipt(account: $0.account("account"), facts: ReceiptFacts($0)) }
        }
    }
}
