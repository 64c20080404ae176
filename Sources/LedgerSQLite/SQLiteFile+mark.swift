import Foundation
import GRDB
import Ledger

extension SQLiteFile {
    /// The mark of a ledger in the header of its file, "QMLg" in ASCII: `PRAGMA application_id`,
    /// https://www.sqlite.org/pragma.html#pragma_application_id. A file of an earlier version gets it when it is opened.
    static let applicationID: Int32 = 0x514D_4C67

    /// Tables that every version has made, with the first migration.
    private static let firstTables: Set = ["accounts", "audit", "keyValues", "receipts"]

    /// The maximum number and length of another program's table names in an error.
    fileprivate static let (maximumNames, maximumNameLength) = (3, 64)

    /// Checks that the file holds a ledger or nothing. Call it before the file is opened for writing, which changes it,
    /// whatever it is.
    ///
    /// - Parameter mayBeNew: whether a file without tables is accepted, and no file.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if it is a database of another program, or holds nothing and must not be
    ///   new.
    func requireLedger(mayBeNew: Bool) throws {
        if mayBeNew, !FileManager.default.fileExists(atPath: path) { return }
        var configuration = SQLiteLedger.configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let isEmpty = try queue.read(Self.isEmpty)
        guard mayBeNew || !isEmpty else { throw LedgerUnavailable("there is no ledger in the file") }
    }

    /// Writes ``applicationID`` into the file if it is missing.
    static func mark(_ db: Database) throws {
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") != applicationID else { return }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Whether the file has no tables, as before the first migration; `false` if it holds a ledger.
    private static func isEmpty(_ db: Database) throws -> Bool {
        let mark = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations' ORDER BY name
                """)
        let isMarked = mark == applicationID
        guard isMarked || mark == 0 else { throw LedgerUnavailable(ofAnother: tables, mark: mark) }
        if tables.isEmpty { return true }
        // Other programs use GRDB too, with migrations of the same names.
        guard firstTables.isSubset(of: tables),
            try isMarked || Schema.migrator.appliedIdentifiers(db).contains(Schema.firstVersion)
        else { throw LedgerUnavailable(ofAnother: tables, mark: mark) }
        return false
    }
}

extension LedgerUnavailable {
    /// The error of a file that another program made.
    fileprivate init(ofAnother tables: [String], mark: Int32) {
        let limit = SQLiteFile.maximumNames
        let names = tables.prefix(limit).map { String($0.prefix(SQLiteFile.maximumNameLength)).debugDescription }
        let more = tables.count > limit ? " and \(tables.count - limit) more" : ""
        let found =
            names.isEmpty ? "its application_id is \(mark)" : "it has the tables \(names.joined(separator: ", "))"
        self.init("the file is a database of another program: \(found)\(more); name another file for the ledger")
    }
}
