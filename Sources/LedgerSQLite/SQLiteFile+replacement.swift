import Foundation
import GRDB
import Ledger

extension SQLiteFile {
    /// The lock bytes of a database file: https://www.sqlite.org/fileformat2.html#the_lock_byte_page. A process that
    /// has it open in WAL mode holds a shared lock on the last part of them.
    private static let lockBytes = (start: 0x4000_0000, count: 512)

    /// Whether another process of this machine has the file open as a database. `false` if there is no file.
    ///
    /// Do not call it while this process has the file open: closing any descriptor of a file releases all locks that
    /// the process holds on it,
    /// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the system cannot tell.
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

    /// Replaces the file by another one, atomically: whenever this is interrupted, the old or the new file is in place,
    /// whole.
    ///
    /// - Parameters:
    ///   - new: a whole database in one file, in the same folder, that nobody has open; it is renamed.
    ///   - kept: the new name of the old file, which must not exist yet. If this is killed before it is done, it may be
    ///     a second name of the file that is still in place.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if another program has the old file open, if SQLite cannot read it
    ///   to its end, or if the system refuses; then nothing was replaced.
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

    /// Checkpoints the write-ahead log that a killed server left into the file, and removes it.
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

    /// Refuses to go on if there is a log, which would be applied to the new file.
    private func requireNoLog() throws {
        for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            throw LedgerUnavailable("\(path)\(suffix) belongs to another file, or a program has it open; move it away")
        }
    }

    private func rename(_ new: String) throws {
        guard Foundation.rename(new, path) == 0 else { throw LedgerUnavailable("it cannot be written: \(systemError)") }
        try SQLiteFile.syncFolder(of: path)
    }

    /// Renames a file to a name that must not exist yet, and syncs both to disk.
    ///
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the name exists, or if the system refuses.
    package static func publish(_ temporary: String, as path: String) throws {
        // Unlike a rename, a link does not replace an existing file.
        if link(temporary, path) == 0 {
            unlink(temporary)
        } else {
            guard errno != EEXIST else { throw LedgerUnavailable("there is a file of this name already") }
            // Some file systems do not support hard links.
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
        // Some file systems cannot sync folders.
        guard fsync(folder) == 0 || errno == EINVAL else {
            throw LedgerUnavailable("its folder cannot be written: \(systemError)")
        }
    }
}

private var systemError: String { String(cString: strerror(errno)) }
