import CommandLine
package import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Logging
import NIOHTTP1
import QuartermasterServer
import ServerCore
import ServerHTTP
import TestSupport
import Testing

/// A folder with ledgers for commands to work on.
package struct LedgerFolder {
    package let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")

    package var database: String { path("ledger.sqlite") }

    package init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    package func leave() { try? FileManager.default.removeItem(at: folder) }

    package func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// Makes a ledger with this many accounts, its trail sealed and signed, and much in it.
    package func make(_ name: String, accounts: Int, values: Int = 0) async throws {
        let ledger = try SQLiteLedger.open(path: path(name), handlers: Server.standardHandlers)
        for number in 0..<accounts {
            let secret = Data("\(name) \(number)".utf8)
            try await ledger.createAccount(AccountID(UUID()), token: secret, recoveryCode: secret, at: World.start)
        }
        try await ledger.execute(
            """
            WITH RECURSIVE numbers (number) AS (
                SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(values))
            INSERT INTO keyValues SELECT 'many/' || number, randomblob(100) FROM numbers WHERE number <= \(values);
            """)
        let sealer = try await AuditSealer(
            ledger, random: systemRandomBytes, clock: { World.start }, logger: LogRecorder().logger(.info))
        await sealer.seal()
        try ledger.close()
    }

    /// The number of accounts in a complete ledger, read as a server would, from a copy.
    /// - Throws: if it is not complete.
    package func accounts(in name: String) async throws -> Int {
        let copy = try LedgerFolder()
        defer { copy.leave() }
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path(name) + suffix) {
            try FileManager.default.copyItem(atPath: path(name) + suffix, toPath: copy.database + suffix)
        }
        let ledger = try SQLiteLedger.open(path: copy.database, handlers: Server.standardHandlers)
        #expect(try await ledger.writer.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        let counts = try await ledger.checkAccounts(at: Date()) { Issue.record("\($0)") }
        _ = try await ledger.verifyTrail()
        try ledger.close()
        return counts.accounts
    }
}
