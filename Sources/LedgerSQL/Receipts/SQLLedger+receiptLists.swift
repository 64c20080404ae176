import InAppPurchase
package import Ledger

extension SQLLedger {
    package func receipts(_ query: ReceiptListQuery) async throws -> [ListedReceipt]? {
        try await read { rows in
            var arguments: SQLArguments = []
            var conditions = ""
            for (column, value) in [("app", query.app?.text), ("rejection", query.reason?.rawValue)] {
                guard let value else { continue }
                conditions += " AND \(column) = ?"
                arguments.append(value)
            }
            if let id = query.after {
                guard let row = try rows.one("SELECT recordedAt FROM receipts WHERE id = ?", [id]) else { return nil }
                conditions += " AND (recordedAt, id) \(query.isNewestFirst ? "<" : ">") (?, ?)"
                arguments += [try row["recordedAt"] as Int, id]
            }
            let order = query.isNewestFirst ? " DESC" : ""
            // The status is a literal in the statement, so that the partial index of these receipts is used.
            return try rows.all(
                """
                SELECT account, \(ReceiptFacts.columns) FROM receipts \(rows.db.dialect.using(index: query.index))
                WHERE status = '\(query.status.rawValue)'\(conditions)
                ORDER BY recordedAt\(order), id\(order) LIMIT ?
                """, arguments + [query.limit]
            ).map { try ListedReceipt(account: $0.account("account"), facts: ReceiptFacts($0)) }
        }
    }
}

extension ReceiptListQuery {
    /// The index that has what is looked for side by side, by date.
    fileprivate var index: String {
        switch (status, app, reason) {
        case (.pending, nil, _): "receiptsPendingByDate"
        case (.pending, _, _): "receiptsPendingByApp"
        case (.rejected, nil, nil): "receiptsRejectedByDate"
        case (.rejected, _, nil): "receiptsRejectedByApp"
        case (.rejected, nil, _): "receiptsRejectedByReason"
        case (.rejected, _, _): "receiptsRejectedByAppAndReason"
        }
    }
}
