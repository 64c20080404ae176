import InAppPurchase
import LedgerPostgres
import PostgresSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// A copy's tables are those of both schemas.
@Suite struct LedgerTableTests {
    @Test func `The list of tables has every table of both schemas`() async throws {
        let names = LedgerTable.all.map(\.name)
        #expect(names.sorted() == TestLedger.tables.sorted())
        let sqlite = try LedgerKind.sqliteInMemory.open()
        let there = try await sqlite.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        #expect(there == (names + ["grdb_migrations"]).sorted())
        let postgres = try LedgerKind.postgres.open()
        let others = try await postgres.rows(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name")
        #expect(others == (names.map { $0.lowercased() } + ["ledgerlock", "ledgermigrations"]).sorted())
    }

    @Test(arguments: LedgerTable.all.map(\.name))
    func `Each table is listed with its key and after the tables it refers to`(name: String) async throws {
        let sqlite = try LedgerKind.sqliteInMemory.open()
        let table = try #require(LedgerTable.all.first { $0.name == name })
        let key = "SELECT name FROM pragma_table_info('\(name)') WHERE pk > 0 ORDER BY pk"
        #expect(try await sqlite.rows(key) == table.key)
        let numbered = try await sqlite.rows(
            "SELECT 1 FROM sqlite_schema WHERE name = '\(name)' AND sql LIKE '%AUTOINCREMENT%'")
        #expect(numbered.isEmpty == (table.numbered == nil))
        let parents = try await sqlite.rows("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list('\(name)')")
        let before = LedgerTable.all.prefix { $0.name != name }.map(\.name)
        #expect(parents.allSatisfy(before.contains), "\(parents)")
    }

    /// A page is found by the index, from wherever it begins.
    @Test(arguments: LedgerTable.all.map(\.name))
    func `A page of a table is found by its key`(name: String) async throws {
        let sqlite = try LedgerKind.sqliteInMemory.open()
        let table = try #require(LedgerTable.all.first { $0.name == name })
        let ledger = try #require(sqlite.ledger as? SQLLedger)
        let plan = try await ledger.database.read { db in
            let page = try TableShape(table, in: db).page(.sqlite, isFirst: false).text(in: .sqlite)
            return try db.all(
                "EXPLAIN QUERY PLAN \(page)", table.key.map { _ in SQLValue.null } + [.integer(1)]
            ).map { try $0.decode("detail", as: String.self) }
        }
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"), "\(plan)")
    }
}
