import GRDB
import InAppPurchase
import Synchronization
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// No statement reads a whole table: a request must cost the same on a ledger of millions.
@Suite struct QueryPlanTests {
    private final class Statements: Sendable {
        let seen = Mutex<Set<String>>([])
    }

    /// These stop at the first row, or go through an index that has only what is looked for.
    static let harmless = [
        "SCAN CONSTANT ROW", "SCAN accounts USING COVERING INDEX sqlite_autoindex_accounts_2",
        "SCAN accounts USING COVERING INDEX accountsCreated",
        "SCAN audit USING COVERING INDEX auditAccount", "SCAN transactions USING INDEX transactionsWithoutTerms",
        "SCAN receipts USING INDEX receiptsWaiting", "SCAN reportChanges", "SCAN changed",
        "SCAN q USING COVERING INDEX receiptsDueByApp", "SCAN q USING INDEX notificationsDueByApp",
        "SCAN q USING COVERING INDEX storeTasksDueByApp",
        // As many as are asked for, of an index that has only what is listed.
        "SCAN receipts USING INDEX receiptsPendingByDate", "SCAN receipts USING INDEX receiptsRejectedByDate",
        // As many as are listed, the last day first, and a row for each administrator.
        "SCAN unavailableProducts USING COVERING INDEX unavailableProductsDay", "SCAN adminTokens",
        // By the key, as many as are asked for.
        "SCAN catalogRevisions",
        // A row for each change of an app's setting, read at the start.
        "SCAN s",
        // The rows of subqueries, as they come.
        "SCAN found", "SCAN apps", "SCAN days", "SCAN heads", "SCAN credited", "SCAN acquired", "SCAN owned",
        // What is asked for.
        "SCAN keys",
        // As many rows of the trail as a page looks at.
        "SCAN looked",
    ]

    /// An insert looks through the children of its key only while a violation is counted (`OP_FkIfZero`), so never.
    static let neverRun = [
        "SCAN deliveries", "SCAN accountKeys", "SCAN storeTasks", "SCAN lineMoves", "SCAN lines",
    ]

    /// A search by a part of a key that says nothing: most ledgers have one app.
    static let everythingOfAnApp = "(app=? AND environment=?)"

    @Test func nothingIsScanned() async throws {
        let sqlite = try SQLiteLedger.inMemory(handlers: standardHandlers)
        let statements = Statements()
        try await sqlite.writer.writeWithoutTransaction { db in
            db.trace { event in statements.seen.withLock { _ = $0.insert("\(event)") } }
        }
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]
        let all = statements.seen.withLock { $0 }.filter { sql in words.contains { sql.hasPrefix($0) } }
        #expect(all.count > 30)
        for sql in all {
            let plan = try await plan(of: sql, in: sqlite)
            let harmless = Self.harmless + (sql.hasPrefix("INSERT") ? Self.neverRun : [])
            let scans = plan.filter {
                $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN (subquery") && !$0.hasSuffix(" CONSTANT ROWS")
                    && !harmless.contains($0)
                    || $0.hasSuffix(Self.everythingOfAnApp)
            }
            #expect(scans == [], "\(sql)\n\(plan.joined(separator: "\n"))")
        }
    }

    private func plan(of sql: String, in ledger: SQLLedger) async throws -> [String] {
        try await ledger.writer.read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] }
        }
    }
}
