import Foundation
import Ledger
import LedgerSQL
import PostgresSupport
import Synchronization
import Testing

@testable import LedgerPostgres

/// A large ledger takes longer to migrate than any request may take.
@Suite struct MigrationTimeTests {
    /// Alters the first table slowly, as if it were large.
    private static let slowly = """
        CREATE SEQUENCE alterations;
        CREATE FUNCTION alterSlowly() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('public.alterations') = 1 THEN PERFORM pg_sleep(11); END IF;
        END $$;
        CREATE EVENT TRIGGER slowly ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION alterSlowly();
        """

    private func open(_ url: String, _ change: (inout PostgresLimits) -> Void) throws -> [MigrationStep] {
        var limits = PostgresLimits.patient
        change(&limits)
        let steps = Mutex<[MigrationStep]>([])
        _ = try PostgresLedger.open(
            url: url, handlers: [], limits: limits, onMigration: { step in steps.withLock { $0.append(step) } })
        return steps.withLock { $0 }
    }

    @Test func `A migration may take longer than a statement`() throws {
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        try server.execute(Self.slowly, in: name)
        let steps = try open(server.url(name)) { $0.readStatement = .seconds(9) }
        let all = (1...Migrations.all.count).flatMap {
            [MigrationStep(number: $0, isDone: false), MigrationStep(number: $0, isDone: true)]
        }
        #expect(steps == all)
        #expect(try open(server.url(name)) { _ in } == [], "it is done once")
    }

    /// Another server may be migrating, or an earlier version of it be in the middle of a transaction.
    @Test func `A migration does not wait for ever for a lock`() throws {
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        let holder = try PostgresConnection(url: server.url(name), limits: .patient)
        try holder.execute("SELECT pg_advisory_lock(\(TransactionKind.migrationLock))", timeout: .seconds(180))
        let error = #expect(throws: LedgerUnavailable.self) {
            try open(server.url(name)) { $0.lock = .milliseconds(50) }
        }
        #expect(error?.detail.hasPrefix("PostgreSQL 55P03: ") == true)
        try holder.execute("SELECT pg_advisory_unlock_all()", timeout: .seconds(180))
        #expect(try open(server.url(name)) { _ in }.count == 2 * Migrations.all.count)
    }
}
