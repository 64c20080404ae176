import Foundation
import GRDB
import InAppPurchase

extension SQLiteFile {
    /// The bytes of a file that SQLite locks, in any file of it: https://www.sqlite.org/fileformat2.html#the_lock_byte_page.
    /// Who has it open with a write-ahead log keeps a shared lock in the last part of them.
    private static let lockBytes = (start: 0x4000_0000, count: 512)

    /// Whether another process of this machine has the file open as a database. False where there is no file.
    ///
    /// Not to be asked where this process has it open: to close any file gives back the locks of its process,
    /// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_.
    ///
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where the system does not say.
    package func isOpenElsewhere() throws -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw LedgerUnavailable("it cannot be read: \(systemError)") }
            return false
        }
        defer { close(file) }
        var lock = Self.wholeLock
        guard fcntl(file, F_GETLK, &lock) == 0 else {
            throw LedgerUnavailable("the system does not tell its locks: \(systemError)")
        }
        return lock.l_type != Int16(F_UNLCK)
    }

    /// Puts another file in its place, in one step: whenever this ends, the old one or the new one stands there, whole.
    ///
    /// - Parameters:
    ///   - new: a whole database in one file, in the same folder, that nobody has open; it is renamed.
    ///   - kept: the name that the old file has afterwards; nobody has it yet. Where this is killed before it is done,
    ///     it may be a second name of the file that is still in its place.
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where another program has the old file open, where SQLite cannot read
    ///   it to its end, and where the system refuses; then nothing was replaced.
    package func replace(by new: String, keeping kept: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            try requireNoLog()
            return try rename(new)
        }
        try carryOverLog()
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw LedgerUnavailable("it cannot be written: \(systemError)") }
        defer { close(file) }
        var lock = Self.wholeLock
        // From here on a server that starts finds the file locked.
        guard fcntl(file, F_SETLK, &lock) == 0 else { throw LedgerUnavailable("another program has it open") }
        try requireNoLog()
        guard link(path, kept) == 0 else { throw LedgerUnavailable("\(kept): cannot be made: \(systemError)") }
        do { try rename(new) } catch {
            unlink(kept)
            throw error
        }
    }

    private static var wholeLock: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (off_t(lockBytes.start), off_t(lockBytes.count))
        return lock
    }

    /// What a server that was killed left in the write-ahead log goes into the file, and the log goes away.
    private func carryOverLog() throws {
        do {
            try translatingErrors {
                let queue = try DatabaseQueue(path: path, configuration: SQLiteLedger.configuration)
                _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
                try queue.close()
            }
        } catch let error as LedgerUnavailable {
            throw LedgerUnavailable("\(error.detail); move it away, with its -wal and -shm, and restore again")
        }
    }

    /// A log that lies beside a new file would be taken for its own.
    private func requireNoLog() throws {
        for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            throw LedgerUnavailable("\(path)\(suffix) belongs to another file, or a program has it open; move it away")
        }
    }

    private func rename(_ new: String) throws {
        guard Foundation.rename(new, path) == 0 else { throw LedgerUnavailable("it cannot be written: \(systemError)") }
        try SQLiteFile.syncFolder(of: path)
    }

    /// Gives a file its name, where nobody has that yet, and has both on the disk.
    ///
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where somebody has the name, and where the system refuses.
    package static func publish(_ temporary: String, as path: String) throws {
        // A link replaces nothing, as a renaming would.
        if link(temporary, path) == 0 {
            unlink(temporary)
        } else {
            guard errno != EEXIST else { throw LedgerUnavailable("there is a file of this name already") }
            // Some file systems have no links.
            guard access(path, F_OK) != 0, Foundation.rename(temporary, path) == 0 else {
                throw LedgerUnavailable("it cannot be written: \(systemError)")
            }
        }
        try syncFolder(of: path)
    }

    private static func syncFolder(of path: String) throws {
        let folder = open(URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false), O_RDONLY)
        guard folder >= 0 else { throw LedgerUnavailable("its folder cannot be read: \(systemError)") }
        defer { close(folder) }
        // Some file systems have no such thing for folders.
        guard fsync(folder) == 0 || errno == EINVAL else {
            throw LedgerUnavailable("its folder cannot be written: \(systemError)")
        }
    }
}

private var systemError: String { String(cString: strerror(errno)) }
