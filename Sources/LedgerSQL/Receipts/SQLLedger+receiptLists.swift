import InAppPurchase
package import Ledger

extension SQLLedger {
    package func receipts(_ query: ReceiptListQuery) async throws -> [ListedReceipt]? {
        try await read { rows in
            var last: LastListed?
            if let id = query.after {
                guard let row = try rows.one("SELECT recordedAt, app FROM receipts WHERE id = ?", [id]) else {
                    return nil
                }
                let app: BundleID? = try row["app"]
                guard query.reach == .everything || app.map(query.reach.includes) == true else { return nil }
                last = LastListed(recordedAt: try row["recordedAt"], id: id)
            }
            let found = try query.indexed.flatMap { try rows.listed($0, after: last) }
            return Array(found.sorted(by: query.comesBefore).prefix(query.limit))
        }
    }
}

/// The place of the last receipt of a page.
private struct LastListed {
    var recordedAt: Int
    var id: String
}

extension LedgerRows {
    fileprivate func listed(_ query: ReceiptListQuery, after last: LastListed?) throws -> [ListedReceipt] {
        var arguments: SQLArguments = []
        var conditions = ""
        for (column, value) in [("app", query.app?.text), ("rejection", query.reason?.rawValue)] {
            guard let value else { continue }
            conditions += " AND \(column) = ?"
            arguments.append(value)
        }
        if let last {
            conditions += " AND (recordedAt, id) \(query.isNewestFirst ? "<" : ">") (?, ?)"
            arguments += [last.recordedAt, last.id]
        }
        let order = query.isNewestFirst ? " DESC" : ""
        // The status is a literal in the statement, so that the partial index of these receipts is used.
        return try all(
            """
            SELECT account, \(ReceiptFacts.columns) FROM receipts \(db.dialect.using(index: query.index))
            WHERE status = '\(query.status.rawValue)'\(conditions)
            ORDER BY recordedAt\(order), id\(order) LIMIT ?
            """, arguments + [query.limit]
        ).map { try ListedReceipt(account: $0.account("account"), facts: ReceiptFacts($0)) }
    }
}

extension ReceiptListQuery {
    /// The queries, each with an index, whose results together are this one's: one for each app of a token, and for
    /// each reason.
    fileprivate var indexed: [Self] {
        guard let apps = reach.apps else { return indexedByReason }
        return apps.filter { app == nil || app == $0 }.flatMap { app in
            var query = self
            query.app = app
            return query.indexedByReason
        }
    }

    /// Rejected receipts are indexed by their reason, of which there are a few, so that whoever sends garbage fills two
    /// indexes instead of four.
    private var indexedByReason: [Self] {
        guard status == .rejected, reason == nil else { return [self] }
        return ReceiptRejection.Reason.allCases.map { reason in
            var query = self
            query.reason = reason
            return query
        }
    }

    /// The index that has what is looked for side by side, by date.
    fileprivate var index: String {
        switch (status, app) {
        case (.pending, nil): "receiptsPendingByDate"
        case (.pending, _): "receiptsPendingByApp"
        case (.rejected, nil): "receiptsRejectedByReason"
        case (.rejected, _): "receiptsRejectedByAppAndReason"
        }
    }

    fileprivate func comesBefore(_ one: ListedReceipt, _ other: ListedReceipt) -> Bool {
        let (earlier, later) = isNewestFirst ? (other, one) : (one, other)
        return (earlier.facts.recordedAt, earlier.facts.id) < (later.facts.recordedAt, later.facts.id)
    }
}
