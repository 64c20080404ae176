import Crypto
public import Foundation
import GRDB
public import InAppPurchase

extension SQLiteLedger {
    public func checkBooks(
        at date: Date, _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        // Credits and access that does not end do not ask the catalog: terms are kept with every purchase.
        let context = DecisionContext(catalog: Catalog(), date: date)
        return try await read { rows in
            var counts = LedgerCounts()
            func tell(_ difference: LedgerDifference) throws {
                counts.differences += 1
                try report(difference)
            }
            try rows.findDanglingReferences(tell)
            try rows.findAlteredTerms(tell)
            try rows.findAlteredFacts(tell)
            let accounts = try Row.fetchCursor(rows.db, sql: "SELECT id FROM accounts ORDER BY id")
            while let row = try accounts.next() {
                let account = try row.account("id")
                counts.accounts += 1
                do {
                    let books = try rows.books(of: account, in: context)
                    counts.add(books)
                    try books.differences.forEach(tell)
                } catch let error where error is DecodingError || error is LedgerUnavailable {
                    try tell(LedgerDifference(account: account, "history", kept: "\(error)", folded: "readable"))
                }
            }
            return counts
        }
    }

    public func rebuildBalances(by actor: AuditActor, at date: Date) async throws -> Int {
        try await write { rows in
            let wrong = try rows.wrongBalances()
            for row in wrong {
                let account = try row.account("account")
                let (app, environment, currency): (String, String, String) = (
                    row["app"], row["environment"], row["currency"]
                )
                try rows.run(
                    """
                    INSERT INTO balances (account, app, environment, currency, amount) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET amount = excluded.amount
                    """, [account.text, app, environment, currency, row["folded"] as Int])
                try rows.append(
                    AuditEntry(
                        .balanceRebuilt, by: actor, account: account,
                        content: [
                            "app": .string(app), "environment": .string(environment), "currency": .string(currency),
                            "before": .integer(row["kept"]), "after": .integer(row["folded"]),
                        ], at: date))
            }
            return wrong.count
        }
    }
}

extension LedgerCounts {
    fileprivate mutating func add(_ books: AccountBooks) {
        let account = books.state.account
        // A line that moved away is in the history of both accounts.
        transactions += books.state.records.count { $0.owner == account }
        (postings, spends) = (postings + books.postings.count, spends + books.spends.count)
        receipts += books.receipts.count
    }
}

extension SQLiteRows {
    fileprivate func wrongBalances() throws -> [Row] {
        try all(
            """
            SELECT account, app, environment, currency, sum(kept) AS kept, sum(folded) AS folded FROM (
                SELECT account, app, environment, currency, amount AS kept, 0 AS folded FROM balances
                UNION ALL
                SELECT account, app, environment, currency, 0, sum(amount) FROM postings
                GROUP BY account, app, environment, currency
            ) GROUP BY account, app, environment, currency HAVING sum(kept) <> sum(folded)
            """, [])
    }

    fileprivate func findDanglingReferences(_ tell: (LedgerDifference) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next() {
            let (table, parent): (String, String) = (row["table"], row["parent"])
            try tell(LedgerDifference("a row of \(table)", kept: "names nothing in \(parent)", folded: "names a row"))
        }
    }

    fileprivate func findAlteredTerms(_ tell: (LedgerDifference) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT hash, CAST(product AS BLOB) AS product FROM terms")
        while let row = try rows.next() {
            let (hash, product): (Data, Data) = (row["hash"], row["product"])
            let actual = Data(SHA256.hash(data: product))
            guard actual != hash else { continue }
            try tell(LedgerDifference("terms", kept: "hash \(hash.hex)", folded: "hash \(actual.hex)"))
        }
    }

    /// The columns that transactions are found by are copies of what the store said.
    fileprivate func findAlteredFacts(_ tell: (LedgerDifference) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT app, environment, id, originalID, product, facts FROM transactions")
        while let row = try rows.next() {
            let columns: [String] = (0..<5).map { row[$0] }
            let facts = try? facts.decode(row["facts"])
            let said = facts.map { [$0.app, $0.environment.rawValue, $0.id, $0.originalID, $0.productID] }
            guard said != columns else { continue }
            try tell(
                LedgerDifference(
                    "transaction \(columns[2])", kept: columns.joined(separator: " "),
                    folded: said?.joined(separator: " ") ?? "readable"))
        }
    }
}
