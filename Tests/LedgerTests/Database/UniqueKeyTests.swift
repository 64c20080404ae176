import Basics
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import StrictJSON
import TestSupport
import Testing

@testable import LedgerSQL

/// Unique keys of a ledger to which several servers write: whoever comes second finds the row, and no caller notices.
@Suite struct UniqueKeyTests {
    /// Fails the first insertion into a table as PostgreSQL does when another transaction was first.
    private static func failOnce(_ table: String) -> [SQLStatement] {
        [
            "CREATE SEQUENCE insertions",
            """
            CREATE FUNCTION failOnce() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('insertions') = 1 THEN RAISE unique_violation USING MESSAGE = 'another was first'; END IF;
                RETURN NEW;
            END $$
            """,
            "CREATE TRIGGER failOnce BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION failOnce()",
        ]
    }

    /// Seals are inserted while nobody else writes, so nobody can be first.
    static let tables = LedgerTable.all.map(\.name).filter { $0 != "auditSeals" }

    @Test(arguments: tables)
    func `A violation of a unique key is retried without the caller noticing`(table: String) async throws {
        let ledger = try #require(try LedgerKind.postgres.open().ledger as? SQLLedger)
        try await ledger.database.write { db in for sql in Self.failOnce(table) { try db.run(sql, []) } }
        let life = TestLedger(ledger)
        try await life.liveThroughEverything()
        #expect(try await life.rows("SELECT 1 FROM insertions WHERE last_value > 1") == ["1"])
        #expect(try await life.differences() == [])
    }

    /// Two servers learn of the same thing at the same moment.
    enum Notice: CaseIterable {
        case settledReceipt, keptReceipt, appliedNotification, keptNotification
        case spend, manifest, keyValue, revision, restoredCopy, account

        func receive(_ number: Int, to server: TestLedger) async throws {
            let id = "\(1_000 + number)"
            switch self {
            case .settledReceipt:
                try await server.record(receipt(id), bought("starter", TransactionID(stored: id), token: 1))
            case .keptReceipt: _ = try await server.ledger.enqueue(receipt(id), retryAt: today, at: today)
            case .appliedNotification:
                try await server.receive(notification(id, bought("words", TransactionID(stored: id), token: 1)))
            case .keptNotification: _ = try await server.ledger.enqueue(notification(id), retryAt: today, at: today)
            case .spend: _ = try await server.spend(1, key: id)
            case .manifest: _ = try await server.issueManifest("bundle\(number)", on: today)
            case .keyValue: _ = try await server.ledger.establish(Data(id.utf8), forKey: id)
            case .revision:
                _ = try await server.ledger.addCatalogRevision(
                    Data([1]), after: number, AuditEntry(.catalogReplaced, at: today))
            case .account: try await server.create(UInt8(100 + number), key: UInt8(number), on: today)
            case .restoredCopy:
                try await server.record(
                    receipt(id), bought("words", TransactionID(stored: id), original: "77", token: 1))
            }
        }
    }

    /// Whether they meet is for the scheduler; if they do, no caller sees the error of PostgreSQL.
    @Test(arguments: Notice.allCases)
    func `Two servers that learn of the same thing at once record it once`(notice: Notice) async throws {
        let url = try PostgresServer.shared.get().newLedger()
        let servers = try (0..<2).map { _ in
            TestLedger(try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient))
        }
        try await servers[0].join(1)
        for number in 0..<6 { try await servers[0].record(receipt("h\(number)"), bought("hints", "\(number)")) }
        for number in 0..<40 {
            try await withThrowingTaskGroup { group in
                for server in servers { group.addTask { try await notice.receive(number, to: server) } }
                try await group.waitForAll()
            }
            if notice == .keptReceipt {
                try await servers[0].record(receipt("\(1_000 + number)"), bought("hints", "\(1_000 + number)"))
            }
        }
        #expect(try await servers[1].differences() == [])
    }
}
