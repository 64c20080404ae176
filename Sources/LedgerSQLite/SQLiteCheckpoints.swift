import Dispatch
import GRDB
import GRDBSQLite
import LedgerSQL

/// Writes the pages of a write-ahead log back into its file, on a thread and a connection of their own: otherwise
/// whoever commits next would write all of them, and everybody would wait for it.
///
/// `@unchecked Sendable`: its variables are used on the writer's queue alone.
final class SQLiteCheckpoints: @unchecked Sendable {
    /// The number of pages that are written to the log before they are written back: 32 MiB. SQLite's own 1,000 are
    /// those of two commits under load, which then wait for two flushes more each; with more pages, one that changes
    /// repeatedly is written back once.
    static let pages = 8_192

    /// The number of pages in the log at which a commit writes them back itself, if the thread does not keep up: 128
    /// MiB.
    static let maximumPages = 4 * pages

    /// The number of pages after which a checkpoint that failed, or was held up by a reader, is tried again: 4 MiB.
    static let pagesToRetry = pages / 8

    private let path: String
    private let onCheckpoint: CheckpointObserver
    /// Held so that they are not finalized, by another thread, while the writer's connection is in use here.
    private let statements: SQLiteStatements
    private let writer: any DatabaseWriter
    private let thread = DispatchQueue(label: "quartermaster.checkpoints", qos: .utility)
    private var isRunning = false
    /// The number of pages that the writer had written when the last checkpoint began.
    private var pagesBefore: Int32 = 0

    init(
        of writer: any DatabaseWriter, _ statements: SQLiteStatements, path: String,
        onCheckpoint: @escaping CheckpointObserver
    ) {
        self.onCheckpoint = onCheckpoint
        self.writer = writer
        self.statements = statements
        self.path = path
    }

    /// Begins a checkpoint if one is due; called on the writer's queue after each commit.
    func committed(_ db: Database) {
        guard !isRunning, let written = Self.pagesWritten(db) else { return }
        // The count is SQLite's own, of 32 bits, and may begin anew.
        guard !(0..<Int32(Self.pages)).contains(written &- pagesBefore) else { return }
        (isRunning, pagesBefore) = (true, written)
        thread.async { [self] in
            // While others commit; what they add meanwhile is left, and all of it if this fails.
            try? SQLiteCheckpoints.write(path)
            writer.asyncWriteWithoutTransaction { [self] db in finish(db) }
        }
    }

    /// Writes the rest back, with nothing added meanwhile: only a log that is written back wholly begins anew.
    private func finish(_ db: Database) {
        let ended: LogCheckpoint
        do {
            let counts = try db.checkpoint(.passive)
            ended = LogCheckpoint(pages: counts.walFrameCount, writtenBack: counts.checkpointedFrameCount)
        } catch {
            ended = LogCheckpoint(pages: 0, writtenBack: 0, trouble: "\(error)")
        }
        isRunning = false
        if ended.trouble != nil || ended.writtenBack < ended.pages {
            pagesBefore = pagesBefore &- Int32(Self.pages - Self.pagesToRetry)
        }
        onCheckpoint(ended)
    }

    private static func write(_ path: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: SQLiteLedger.configuration)
        defer { try? queue.close() }
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.passive) }
    }

    /// The number of pages that the connection has written, to the log in this mode; `nil` if SQLite does not count.
    private static func pagesWritten(_ db: Database) -> Int32? {
        var (current, highest): (Int32, Int32) = (0, 0)
        let code = sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return code == SQLITE_OK ? current : nil
    }
}
