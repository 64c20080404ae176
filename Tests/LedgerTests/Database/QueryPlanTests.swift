import GRDB
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import Synchronization
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// No statement reads a whole table: a request must cost the same on a ledger of millions.
@Suite struct QueryPlanTests {
    private final class Statements: Sendable {
        let seen = Mutex<Set<String>>([])
    }

    /// These stop at the first row, or go through an index that has only what is sought.
    static let harmless = [
        "SCAN CONSTANT ROW", "SCAN accounts USING COVERING INDEX sqlite_autoindex_accounts_2",
        "SCAN accounts USING COVERING INDEX accountsCreated",
        "SCAN audit USING COVERING INDEX auditAccount", "SCAN transactions USING INDEX transactionsWithoutTerms",
        "SCAN receipts USING INDEX receiptsWaiting", "SCAN reportChanges", "SCAN changed",
        "SCAN q USING COVERING INDEX receiptsDueByApp", "SCAN q USING INDEX transactionIDsDue",
        "SCAN q USING COVERING INDEX transactionIDsDue", "SCAN q USING INDEX notificationsDueByApp",
        "SCAN q USING COVERING INDEX storeTasksDueByApp",
        // As many as are asked for, of an index that has only what is listed.
        "SCAN receipts USING INDEX receiptsPendingByDate", "SCAN transactions USING INDEX transactionsDoubled",
        // As many as are listed, the last day first, and one row for each administrator.
        "SCAN unavailableProducts USING COVERING INDEX unavailableProductsDay", "SCAN adminTokens",
        // By the key, as many as are asked for.
        "SCAN catalogRevisions",
        // One row for each change of an app's setting, read at the start.
        "SCAN s",
        // The rows of subqueries, as they come.
        "SCAN found", "SCAN parts", "SCAN purchases", "SCAN days", "SCAN heads", "SCAN credited", "SCAN acquired",
        "SCAN owned",
        // What is asked for.
        "SCAN keys",
        // As many rows of the trail as a page looks at.
        "SCAN looked",
    ]

    /// An insert looks through the children of its key only while a violation is counted (`OP_FkIfZero`), that is,
    /// never.
    static let neverRun = [
        "SCAN deliveries", "SCAN accountKeys", "SCAN storeTasks", "SCAN lineMoves", "SCAN lines",
    ]

    /// A search by a part of a key that does not narrow it: most ledgers have one app.
    static let everythingOfAnApp = "(app=? AND environment=?)"

    @Test func `No statement scans a table of SQLite`() async throws {
        let (sqlite, statements) = try await lived()
        try await expectNoScan(in: sqlite, statements)
    }

    /// The same once tables have 10,000 rows, and SQLite knows how many.
    @Test func `No statement scans a large table of SQLite`() async throws {
        let (sqlite, statements) = try await lived()
        try await sqlite.multiplyRows(by: Self.rows)
        for table in Self.large {
            let count = Int(try await sqlite.value("SELECT count(*) FROM \(table)") ?? "") ?? 0
            #expect(count >= Self.rows, "\(table)")
        }
        try await sqlite.execute("ANALYZE")
        try await expectNoScan(in: sqlite, statements)
    }

    /// PostgreSQL reads a whole table only where no index can be used, so it never has to.
    @Test func `No statement scans a table of PostgreSQL`() async throws {
        let server = try PostgresServer.shared.get()
        let url = try server.newLedger()
        let base = try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient)
        _ = try await base.database.write { rows in
            try rows.run(
                """
                DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_seqscan = off', current_database()); END $$
                """, [])
        }
        let fresh = try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient)
        let database = PlanningDatabase(fresh.database)
        try await TestLedger(SQLLedger(database, handlers: standardHandlers, onCommit: { _ in }))
            .liveThroughEverything()
        #expect(database.scans.queries.withLock { $0.count } > 100)
        let found = database.scans.found.withLock { $0.filter { !Self.scannedByPostgres.contains($0.key) } }
        #expect(found == [:])
    }

    private static let rows = 10_000
    /// The tables that pages look through.
    private static let large = [
        "accounts", "audit", "deliveries", "lines", "manifestDeliveries", "notifications", "orderTransactions",
        "postings", "productGrants", "receipts", "receiptTransactions", "sessions", "transactions",
        "unclaimedTransactions", "unfetchedBundles",
    ]
    /// One row for each administrator, and one for each change of an app's setting. PostgreSQL gives names in lower
    /// case.
    private static let scannedByPostgres: Set<String> = ["admintokens", "startingcredits"]

    /// A ledger in which everything happened, and the statements that ran.
    private func lived() async throws -> (SQLLedger, Set<String>) {
        let sqlite = try SQLiteLedger.inMemory(handlers: standardHandlers)
        let statements = Statements()
        try await sqlite.writer.writeWithoutTransaction { db in
            db.trace { event in statements.seen.withLock { _ = $0.insert("\(event)") } }
        }
        try await TestLedger(sqlite).liveThroughEverything()
        let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]
        let all = statements.seen.withLock { $0 }.filter { sql in words.contains { sql.hasPrefix($0) } }
        #expect(all.count > 30)
        return (sqlite, all)
    }

    private func expectNoScan(in sqlite: SQLLedger, _ statements: Set<String>) async throws {
        for sql in statements {
            let plan = try await plan(of: sql, in: sqlite)
            let harmless = Self.harmless + (sql.hasPrefix("INSERT") ? Self.neverRun : [])
            let scans = plan.filter {
                $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN (subquery") && !$0.hasSuffix(" CONSTANT ROWS")
                    && !harmless.contains($0) || $0.hasSuffix(Self.everythingOfAnApp)
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

extension SQLLedger {
    /// These have only a few values, however many rows there are.
    private static let alike: Set<String> = [
        "app", "environment", "status", "kind", "product", "currency", "bundle", "reason", "bundleID",
    ]
    /// These have only a few rows in every ledger.
    private static let small: Set<String> = ["adminTokens", "auditCheckpoints", "catalogRevisions", "startingCredits"]

    /// Copies a row of each table this many times, with other values where an index has them.
    fileprivate func multiplyRows(by count: Int) async throws {
        try await writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            for trigger in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
                try db.execute(sql: "DROP TRIGGER \(trigger)")
            }
            for table in TestLedger.tables where !Self.small.contains(table) {
                try Self.multiplyRows(of: table, by: count, db)
            }
        }
    }

    private static func multiplyRows(of table: String, by count: Int, _ db: Database) throws {
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")
        let indexed = try Set(
            String.fetchAll(
                db,
                sql: """
                    SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0
                    UNION SELECT i.name FROM pragma_index_list('\(table)') l, pragma_index_info(l.name) i
                    WHERE i.name IS NOT NULL
                    """))
        let values = columns.map { name in
            guard indexed.contains(name), !alike.contains(name) else { return name }
            return """
                CASE typeof(\(name)) WHEN 'text' THEN \(name) || '.' || n WHEN 'integer' THEN \(name) + n
                    WHEN 'blob' THEN CAST(\(name) || n AS BLOB) ELSE \(name) END
                """
        }
        try db.execute(
            sql: """
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(2 * count))
                INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", ")))
                SELECT \(values.joined(separator: ", ")) FROM (SELECT * FROM \(table) LIMIT 1), numbers
                """)
    }
}
