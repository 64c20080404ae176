import Foundation
import InAppPurchase
import LedgerSQL
import PostgresSupport
import Testing

@testable import LedgerPostgres

/// Through PgBouncer, which lends the connections of a server for one transaction each.
@Suite struct PoolerTests {
    @Test(.enabled(if: Pooler.isInstalled)) func `Transactions work through a pooler`() async throws {
        let base = try TestDatabase()
        let pooler = try Pooler(for: base.server)
        let servers = try (0..<4).map { _ in try PostgresDatabase(url: pooler.url(base.name), limits: .patient) }
        try await servers[0].set("n", 0)
        try await withThrowingTaskGroup { group in
            for index in 0..<60 {
                let server = servers[index % servers.count]
                group.addTask {
                    try await server.write { try $0.set("n", ($0.number("n") ?? 0) + 1) }
                    try await server.write { try $0.send("UPDATE numbers SET number = number + 1", []) }
                    _ = try await server.number("n")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await servers[0].number("n") == 120)
    }

    /// Whichever session had the name first, on a connection that another had before.
    @Test(arguments: ["26000", "42P05"])
    func `A statement name lost or used by another session is prepared again`(state: String) async throws {
        let base = try TestDatabase()
        let database = try base.open()
        let statement = PostgresStatement("SELECT number FROM numbers WHERE name = ?")
        try await database.set("a", 1)
        if state == "26000" {
            #expect(try await database.write { try $0.number("a") } == 1)
            _ = try await database.write { try $0.run("DEALLOCATE ALL", []) }
        } else {
            _ = try await database.write { try $0.run("PREPARE \(statement.name) (TEXT) AS SELECT 9", []) }
        }
        #expect(try await database.write { try $0.number("a") } == 1)
        #expect(try await database.write { try $0.number("a") } == 1)
    }
}
