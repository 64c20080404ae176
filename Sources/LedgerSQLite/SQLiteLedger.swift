import Foundation
import GRDB
public import InAppPurchase

/// The embedded ledger: one SQLite file, one writer at a time, nothing else to install.
///
/// Commits are durable when a method returns: write-ahead log with `synchronous = FULL`. The command line may write to
/// the same file while a server runs.
public struct SQLiteLedger: Ledger {
    /// How long a write waits for another process's.
    static let busyTimeout: TimeInterval = 5

    let writer: any DatabaseWriter
    let terms: TermsCodec
    let facts = FactsCodec()
    private let queue = WriteQueue()
    private let onCommit: @Sendable (CommitTimes) -> Void

    /// Opens the file, makes it where there is none, and migrates it.
    ///
    /// - Parameters:
    ///   - handlers: the types whose terms the ledger can read back.
    ///   - onCommit: told how long each write took.
    /// - Throws: ``LedgerUnavailable`` where the file cannot be opened, SQLite does not promise durable commits, a later
    ///   version wrote the file, or it holds purchases of a type that is not among the handlers.
    public static func open(
        path: String, handlers: [any ProductHandler.Type],
        onCommit: @escaping @Sendable (CommitTimes) -> Void = { _ in }
    ) throws -> SQLiteLedger {
        try translatingErrors {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try demandDurability(of: pool)
            return try SQLiteLedger(pool, handlers, onCommit)
        }
    }

    /// A ledger in memory, for tests: gone when it is released.
    public static func inMemory(
        handlers: [any ProductHandler.Type], onCommit: @escaping @Sendable (CommitTimes) -> Void = { _ in }
    ) throws -> SQLiteLedger {
        try translatingErrors { try SQLiteLedger(DatabaseQueue(configuration: configuration), handlers, onCommit) }
    }

    private init(
        _ writer: any DatabaseWriter, _ handlers: [any ProductHandler.Type],
        _ onCommit: @escaping @Sendable (CommitTimes) -> Void
    ) throws {
        guard try !writer.read(Schema.migrator.hasBeenSuperseded) else {
            throw LedgerUnavailable("a later version of this server wrote the file")
        }
        try Schema.migrator.migrate(writer)
        (self.writer, self.onCommit, terms) = (writer, onCommit, TermsCodec(handlers: handlers))
        try demandHandlers()
    }

    /// Without its handler a purchase would look like one of an unknown product, and its credits would be taken back.
    private func demandHandlers() throws {
        let kept = try writer.read { db in try Row.fetchAll(db, sql: "SELECT hash, product FROM terms") }
        for row in kept where terms.decode(hash: row["hash"], json: row["product"]) == nil {
            throw LedgerUnavailable(
                "no handler of this server reads the terms of a purchase: \(row["product"] as String)")
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        return configuration
    }

    /// GRDB sets `synchronous = NORMAL` when it opens a pool, with which a power loss takes back what was acknowledged.
    private static func demandDurability(of pool: DatabasePool) throws {
        let full = 2
        let level = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard level == full else { throw LedgerUnavailable("SQLite did not accept synchronous = FULL") }
    }

    private func rows(of db: Database) -> SQLiteRows { SQLiteRows(db: db, terms: terms, facts: facts) }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteRows) throws -> Result
    ) async throws -> Result {
        try queue.enter()
        defer { queue.leave() }
        let watch = CommitWatch()
        let (result, timed) = try await translatingErrors {
            try await writer.write { db in try watch.timing { try body(rows(of: db)) } }
        }
        onCommit(timed.committed())
        return result
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteRows) throws -> Result
    ) async throws -> Result {
        try await translatingErrors { try await writer.read { db in try body(rows(of: db)) } }
    }
}

private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as DatabaseError { throw LedgerUnavailable(error) }
}

private func translatingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as DatabaseError { throw LedgerUnavailable(error) }
}

extension LedgerUnavailable {
    /// The arguments of the statement are left out: they may be a receipt.
    fileprivate init(_ error: DatabaseError) {
        self.init("SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")")
    }
}
