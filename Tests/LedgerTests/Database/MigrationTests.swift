import Crypto
import Foundation
import GRDB
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// Files of every released version open, and nobody edits a migration that is released.
@Suite struct MigrationTests {
    /// The statements that made the schema, without layout.
    private func schema(of queue: DatabaseQueue) throws -> [String] {
        try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations' ORDER BY name
                    """
            ).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
    }

    @Test func `The schema of version 1 is as it was released`() throws {
        let migrated = try DatabaseQueue()
        try Schema.migrator.migrate(migrated, upTo: "1")
        let released = try DatabaseQueue()
        try released.write { try $0.execute(sql: schemaVersion1) }
        #expect(try schema(of: migrated) == schema(of: released))
    }

    /// The SHA-256 of each later schema's statements, one a line, as it was released.
    static let released = [
        "2": "e06eaca28ce3428e99a17413b1e060fbd2bab399861400a82539f9ab41cfc881",
        "3": "010851dc1ce29a0e279a199223c15b842ab7bc2015b57502ac5747b137000b65",
        "4": "2e75c5e2da87fa5923edbc08b8d6cf8a1d51ffdb54e2f176fcaebd676ab3e9c7",
        "5": "88baca1bf65897b520e4f64a12b3fc2358c3f2ce69cb3360116e5ee0cd0930ac",
        "6": "4abdef339fd8152961f5ce01697454181f8ac8d52eb56261b2c830fc82d0d881",
        "7": "e2f7337b5a1933cd7c6a1ca0bf3d1ea55ff9d38857a8a065b5738847d5f17544",
    ]

    @Test(arguments: released)
    func `The schema of each later version is as it was released`(version: String, digest: String) throws {
        let migrated = try DatabaseQueue()
        try Schema.migrator.migrate(migrated, upTo: version)
        let statements = try schema(of: migrated).joined(separator: "\n")
        let hash = SHA256.hash(data: Data(statements.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(hash == digest, "version \(version):\n\(statements)")
    }

    @Test func `Opening a file again migrates nothing`() async throws {
        let file = try LedgerFile()
        let ledger = try file.open()
        try await ledger.liveThroughEverything()
        let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
        let before = (try await ledger.rows(schema), try await ledger.everything())
        let reopened = try file.open()
        #expect(try await reopened.rows(schema) == before.0)
        #expect(try await reopened.everything() == before.1)
    }

    /// A file as version 1 made it, to which nothing of today's schema has written.
    @Test func `A file of version 1 opens with its account`() async throws {
        let file = try LedgerFile()
        try await DatabaseQueue(path: file.path).write { db in
            try db.execute(sql: schemaVersion1)
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1');
                    INSERT INTO accounts VALUES ('\(account(7).text)', x'07', 0);
                    INSERT INTO sessions VALUES (x'07', '\(account(7).text)', 0, NULL);
                    """)
        }
        let ledger = try file.open()
        #expect(try await ledger.ledger.account(forToken: Data([7])) == account(7))
        try await ledger.liveThroughEverything()
    }

    @Test(arguments: released.keys)
    func `A file of each later released version opens with its account`(version: String) async throws {
        let file = try LedgerFile()
        let queue = try DatabaseQueue(path: file.path)
        try Schema.migrator.migrate(queue, upTo: version)
        try await queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO accounts (id, recoveryCode, createdAt) VALUES ('\(account(7).text)', x'07', 0);
                    INSERT INTO sessions VALUES (x'07', '\(account(7).text)', 0, NULL);
                    """)
        }
        try queue.close()
        let ledger = try file.open()
        #expect(try await ledger.ledger.account(forToken: Data([7])) == account(7))
        try await ledger.liveThroughEverything()
        #expect(try await ledger.differences() == [])
    }

    /// Refunds from before the table existed are found in what the store said, as they would have been recorded then.
    @Test(arguments: HistoryTests.seeds)
    func `Refunds from before their table are found by the migration`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let history = HistoryMaker(using: &generator, hasCopies: false)
        let sqlite = try SQLiteLedger.inMemory(handlers: standardHandlers)
        let ledger = TestLedger(sqlite)
        try await ledger.join(1, 2)
        for (number, sent) in history.receipts(using: &generator).enumerated() {
            _ = try await sqlite.record(
                receipt("\(number)", by: sent.by), .success(VerifiedReceipt(transactions: sent.copies)),
                in: try ledger.context(on: HistoryMaker.present))
        }
        let settled = "SELECT * FROM refunds WHERE amount > 0"
        let before = try await ledger.rows(settled)
        try await sqlite.storeWholeFacts()
        try await sqlite.execute("DELETE FROM refunds; " + Schema.refundsBefore)
        #expect(try await ledger.rows(settled) == before)
        #expect(try await ledger.differences() == [])
    }

    /// The owner's evidence is found in earlier receipts, and so are the transfers that are counted.
    @Test func `Evidence and transfers from before their columns are found by the migration`() async throws {
        let sqlite = try SQLiteLedger.inMemory(handlers: standardHandlers)
        let ledger = TestLedger(sqlite)
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("words", "1"), bought("starter", "2"))
        try await ledger.record(receipt("b"), bought("words", "1", signed: day(93)))
        try await ledger.record(receipt("c", by: 2), bought("starter", "2", signed: day(95)))
        try await ledger.record(receipt("d", kind: .transactionReceipt), bought("coins", "3", signed: day(96)))
        try await ledger.receive(notification("n1", bought("hints", "4", token: 1)))
        let lines = "SELECT originalID, owner, ownerEvidenceAt, moveCount FROM lines ORDER BY originalID"
        let before = try await ledger.rows(lines)
        #expect(before[0].hasSuffix("\(day(93).milliseconds) 0") && before[1].hasSuffix("\(day(95).milliseconds) 1"))
        try await sqlite.execute("UPDATE lines SET ownerEvidenceAt = 7, moveCount = 0")
        try await sqlite.execute("UPDATE lines SET ownerEvidenceAt = NULL; " + OwnerEvidence.backfill)
        #expect(try await ledger.rows(lines) == before)
    }

    /// Of earlier notifications nobody knows whether they were sent; the newest of each app counts as sent, so that the
    /// migration alarms nobody.
    @Test func `The newest earlier notification of each app counts as sent`() async throws {
        let file = try LedgerFile()
        let queue = try DatabaseQueue(path: file.path)
        try Schema.migrator.migrate(queue, upTo: "24")
        let rows = [
            ("a", "'hangman'", 1), ("b", "'hangman'", 3), ("c", "'hangman'", 3), ("d", "'chess'", 2), ("e", "NULL", 9),
        ]
        try await queue.write { db in
            for (id, app, date) in rows {
                try db.execute(
                    sql: """
                        INSERT INTO notifications (id, type, app, environment, signedAt, recordedAt, content)
                        VALUES ('\(id)', 'TEST', \(app), 'Production', 0, \(date), 'x')
                        """)
            }
        }
        try queue.close()
        let ledger = try file.open()
        let sent = "SELECT id, deliveredAt FROM notifications WHERE deliveredAt IS NOT NULL ORDER BY id"
        #expect(try await ledger.rows(sent) == ["b 3", "d 2", "e 9"])
    }

    /// Condensed histories in the form of version 22 no longer count; those of accounts without a purchase still do,
    /// and nothing else changes.
    @Test func `Standings in the form of version 22 are made anew`() async throws {
        let (now, then) = (try LedgerFile(), try LedgerFile())
        let newest = try now.open()
        try await newest.liveThroughEverything()
        let holdings = [try await newest.holdings(of: 1), try await newest.holdings(of: 2)]
        try await Self.copy(now.path, toVersion: "22", at: then.path)
        let migrated = try then.open()
        #expect(try await migrated.rows("SELECT count(*) FROM standings") == ["0"])
        let ledger = try #require(migrated.ledger as? SQLLedger)
        let known = try await ledger.read { try $0.standings(of: [account(1), account(2), account(16)]) }
        #expect(Array(known.keys) == [account(16)] && known[account(16)]?.isEmpty == true)
        #expect([try await migrated.holdings(of: 1), try await migrated.holdings(of: 2)] == holdings)
        #expect(try await migrated.differences() == newest.differences())
        #expect(try await migrated.ledger.rebuildStandings(at: today) > 1)
        #expect(try await migrated.ledger.rebuildStandings(at: today) == 0)
        #expect([try await migrated.holdings(of: 1), try await migrated.holdings(of: 2)] == holdings)
    }

    /// Writes the rows of a ledger into a file of an earlier version, all of whose accounts are condensed.
    private static func copy(_ path: String, toVersion version: String, at target: String) async throws {
        let queue = try DatabaseQueue(path: target)
        try Schema.migrator.migrate(queue, upTo: version)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "ATTACH '\(path)' AS newest") }
        try await queue.write { db in
            let isThere = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?"
            for table in LedgerTable.copied.map(\.name)
            where try Bool.fetchOne(db, sql: isThere, arguments: [table]) == true {
                let columns = try db.columns(in: table).map(\.name).joined(separator: ", ")
                try db.execute(sql: "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM newest.\(table)")
            }
            try db.execute(
                sql: """
                    UPDATE historyRevisions SET condensed = revision;
                    INSERT INTO standings (account, app, environment, history, version, standing)
                    SELECT account, 'hangman', 'Production', '{"product":"p","type":"consumable"}', '1.1', '{}'
                    FROM (
                        SELECT creditedTo AS account FROM transactions
                        UNION SELECT owner FROM lines UNION SELECT fromAccount FROM lineMoves);
                    """)
        }
        try queue.close()
    }

    /// Statements by which another program made a file, and a part of the error about it.
    static let foreign: [(sql: String, says: String)] = [
        ("CREATE TABLE a (b); CREATE TABLE c (d)", #"it has the tables "a", "c"; name another file"#),
        (
            ["a", "b\n", "c", "d", "e"].map { "CREATE TABLE \"\($0)\" (x)" }.joined(separator: ";"),
            #"the tables "a", "b\n", "c" and 2 more"#
        ),
        ("PRAGMA application_id = 7", "its application_id is 7"),
        ("PRAGMA application_id = 7;" + schemaVersion1, "it has the tables"),
        // Other programs use GRDB too.
        (
            """
            CREATE TABLE accounts (x); CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES ('1')
            """, #"it has the tables "accounts""#
        ),
        (schemaVersion1, "it has the tables"),
    ]

    @Test(arguments: foreign)
    func `A file of another program is refused and stays as it is`(file made: (sql: String, says: String)) throws {
        let file = try LedgerFile()
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: made.sql) }
        try queue.close()
        let before = try Data(contentsOf: URL(filePath: file.path))
        let opens: [() throws -> Any] = [
            { try file.open() }, { try SQLiteFile(file.path).check() },
            { try SQLiteLedger.openHeld(path: file.path, handlers: standardHandlers) },
            { try SQLiteLedger.open(path: file.path, handlers: standardHandlers, mayBeNew: false) },
        ]
        for open in opens {
            let error = #expect(throws: LedgerUnavailable.self) { try open() }
            #expect(error?.detail.hasPrefix("the file is a database of another program: ") == true)
            #expect(error?.detail.contains(made.says) == true, "\(error as Any)")
            #expect(error?.detail.contains("\n") == false)
        }
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    }

    /// A server may be killed before its first migration is committed.
    @Test(arguments: ["SELECT 1", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"])
    func `A new ledger is marked, one of an earlier version when it is opened`(begun: String) throws {
        let (new, old) = (try LedgerFile(), try LedgerFile())
        try DatabaseQueue(path: new.path).writeWithoutTransaction { try $0.execute(sql: begun) }
        try Schema.migrator.migrate(DatabaseQueue(path: old.path), upTo: "7")
        for file in [new, old] {
            let mark = {
                try DatabaseQueue(path: file.path).read { try Int32.fetchOne($0, sql: "PRAGMA application_id") }
            }
            #expect(try mark() == 0)
            for _ in 1...2 { _ = try file.open() }
            #expect(try mark() == SQLiteFile.applicationID)
        }
    }

    /// A newer server wrote the file: this one must not write by rules that no longer hold.
    @Test func `A file of a version that is not known yet is refused`() async throws {
        let file = try LedgerFile()
        _ = try file.open()
        try await DatabaseQueue(path: file.path).write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')")
        }
        #expect(throws: LedgerUnavailable.self) { try file.open() }
    }
}
