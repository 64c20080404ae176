import InAppPurchase
import Ledger
import LedgerSQL
import PostgresSupport
import Synchronization
import Testing

@testable import LedgerPostgres

/// Connections that are lost while statements wait to be sent.
@Suite struct PipelineOutageTests {
    /// A whole transaction may be sent at once with its beginning, and it is still known that nothing came of it.
    @Test func `A transaction sent at once on an ended connection is repeated`() async throws {
        let base = try TestDatabase()
        let database = try base.open()
        for number in 1...3 {
            try await database.write { try $0.put("a\(number)", number) }
            try base.terminateConnections()
        }
        #expect(try await database.number("a3") == 3)
    }

    @Test func `A transaction after a crash of the database is written`() async throws {
        let base = try TestDatabase(on: try PostgresServer())
        let database = try base.open()
        try await database.write { try $0.put("a", 1) }
        try base.server.stop(crashing: true)
        try base.server.start()
        try await database.write { try $0.put("b", 2) }
        #expect(try await database.number("b") == 2)
    }

    @Test func `A transaction whose connection ends before its statements were sent fails as unwritten`() async throws {
        let base = try TestDatabase()
        let database = try base.open()
        let runs = Atomic(0)
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                runs.add(1, ordering: .relaxed)
                _ = try transaction.number("a")
                try transaction.put("a", 1)
                try base.terminateConnections()
            }
        }
        #expect(error?.detail.hasPrefix("PostgreSQL") == true)
        #expect(runs.load(ordering: .relaxed) == 2)
        #expect(try await database.number("a") == nil)
    }

    @Test func `A crash during a commit leaves unknown whether it was written`() async throws {
        let base = try TestDatabase(on: try PostgresServer())
        let database = try base.open()
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await database.write { transaction in
                _ = try transaction.number("a")
                try transaction.put("a", 1)
                try base.server.stop(crashing: true)
            }
        }
        #expect(error?.detail.hasSuffix("whether it was written is not known") == true)
        try base.server.start()
        try await database.write { try $0.put("a", 2) }
        #expect(try await database.number("a") == 2)
    }
}
