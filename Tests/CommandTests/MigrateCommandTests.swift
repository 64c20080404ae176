import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import PostgresSupport
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import LedgerPostgres
@testable import LedgerSQLite
@testable import QuartermasterServer

/// `ledger migrate` as an operator types it, on what an earlier version left.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct MigrateCommandTests {
    private static let account = """
        INSERT INTO accounts (id, recoveryCode, createdAt) VALUES ('946cfa6b-15d2-4a46-80c4-54ee4b20b092', '%@', 0);
        """

    /// - Returns: the number of the migration that it was left at, and of the newest.
    private func leaveEarlier(_ folder: LedgerFolder) throws -> (done: Int, newest: Int) {
        let newest = Schema.migrator.migrations.count
        let queue = try DatabaseQueue(path: folder.database)
        try Schema.migrator.migrate(queue, upTo: "\(newest - 3)")
        try queue.write { try $0.execute(sql: Self.account.replacing("'%@'", with: "x'07'")) }
        try queue.close()
        return (newest - 3, newest)
    }

    /// - Returns: the same, and the database's URL.
    private func leaveEarlier() throws -> (url: String, done: Int, newest: Int) {
        let (server, newest) = (try PostgresServer.shared.get(), Migrations.all.count)
        let name = try server.newDatabase()
        let numbers = (1...newest - 3).map { "INSERT INTO ledgerMigrations (number) VALUES (\($0));" }
        let made = Migrations.all.prefix(newest - 3) + [Migrations.table] + numbers
        try server.execute(made.joined(separator: "\n"), in: name)
        try server.execute(Self.account.replacing("%@", with: "\\x07"), in: name)
        return (server.url(name), newest - 3, newest)
    }

    private func migrate(_ database: String, _ more: String...) async throws -> Program.Outcome {
        try await Program.run(["ledger", "migrate"] + more, environment: ["QUARTERMASTER_DATABASE": database])
    }

    @Test func `A dry run tells the migrations of a file, tries them on a copy and leaves the file as it is`()
        async throws
    {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let (done, newest) = try leaveEarlier(folder)
        let bytes = try Data(contentsOf: URL(filePath: folder.database))
        let tried = try await migrate(folder.database, "--dry-run", "--json")
        #expect(tried.status == 0 && tried.error.isEmpty, "\(tried)")
        #expect(tried.json["from"] == .integer(done) && tried.json["to"] == .integer(newest), "\(tried)")
        #expect(tried.json["migrations"] == .array([newest - 2, newest - 1, newest].map { .integer($0) }))
        #expect(tried.json["dryRun"] == true)
        #expect(try folder.names == ["ledger.sqlite"])
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == bytes)

        let migrated = try await migrate(folder.database)
        #expect(migrated.status == 0, "\(migrated)")
        #expect(
            migrated.output.hasPrefix("\(folder.database): migrated from version \(done) to \(newest) in "),
            "\(migrated)")
        #expect(try SQLiteFile(folder.database).migrations().pending == [])
        #expect(try await folder.accounts(in: "ledger.sqlite") == 1)
        for flags in [[], ["--dry-run"]] {
            let again = try await Program.run(["ledger", "migrate", "--database", folder.database] + flags)
            #expect(again.output == "\(folder.database): version \(newest), nothing to migrate\n", "\(again)")
        }
    }

    /// Rows that the last migration cannot take, which nobody knows before.
    @Test func `A dry run finds that a file cannot be migrated`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        _ = try leaveEarlier(folder)
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER inTheWay BEFORE INSERT ON grdb_migrations BEGIN
                        SELECT RAISE(ABORT, 'in the way');
                    END
                    """)
        }
        try queue.close()
        let tried = try await migrate(folder.database, "--dry-run")
        #expect(tried.status == 1 && tried.output.isEmpty && tried.error.contains("in the way"), "\(tried)")
        #expect(try folder.names == ["ledger.sqlite"])
    }

    @Test func `A dry run on PostgreSQL is rolled back`() async throws {
        let (url, done, newest) = try leaveEarlier()
        let tried = try await migrate(url, "--dry-run")
        #expect(tried.status == 0 && tried.error.isEmpty, "\(tried)")
        #expect(
            tried.output.hasPrefix("PostgreSQL: can be migrated from version \(done) to \(newest) in "), "\(tried)")
        #expect(try PostgresLedger.migrations(url: url) == LedgerMigrations(done: done, newest: newest))
        #expect(try await migrate(url).output.hasPrefix("PostgreSQL: migrated from version \(done) to \(newest) in "))
        #expect(try PostgresLedger.migrations(url: url).pending == [])
    }

    @Test func `A dry run finds that a database cannot be migrated`() async throws {
        let (url, done, newest) = try leaveEarlier()
        let connection = try PostgresConnection(url: url, limits: .patient)
        try connection.execute("ALTER TABLE ledgerMigrations ADD CHECK (number < \(newest))", timeout: .seconds(180))
        let tried = try await migrate(url, "--dry-run")
        #expect(tried.status == 1 && tried.output.isEmpty, "\(tried)")
        #expect(tried.error.hasPrefix("Error: PostgreSQL: the ledger cannot be migrated: PostgreSQL 23514: "))
        #expect(try PostgresLedger.migrations(url: url).done == done)
    }
}
