import ArgumentParser
import AuditSeal
import Foundation
import InAppPurchase
import Ledger
import LedgerSQLite
import ServerCore
import ServerHTTP
import SystemPackage

extension LedgerCommand {
    struct Backup: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Back up the SQLite ledger to a file and verify it. You can run this while a server is running.",
            discussion: """
                The file appears only after SQLite has found it intact and its audit trail has been verified; an \
                existing file is not replaced. A ledger of an earlier version is copied as it is.

                Example: quartermaster ledger backup backups/monday.sqlite --database var/ledger.sqlite
                """)

        @Argument(help: "The file to write.") var file: String

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation

        func run(_ program: any ServerProgram) async throws {
            let ledger = try LedgerFile(await options.settings())
            try ledger.requireExists()
            guard !FileManager.default.fileExists(atPath: file) else {
                throw CommandError("\(file): there is a file of this name already")
            }
            let line = ProgressLine.onTerminal(clock: { Date() })
            defer { line?.clear() }
            try await ledger.file.withCheckedCopy(beside: file, isReadOnly: false, line) { copy, trail in
                do { try SQLiteFile.publish(copy, as: file) } catch let error as LedgerUnavailable {
                    throw CommandError("\(file): \(error.detail)")
                }
                confirmation.print("\(file): whole; \(trail.rowsText)")
            }
        }
    }

    struct Restore: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore an SQLite ledger from a backup. No server may be running.",
            discussion: """
                The backup is verified as `ledger backup` does, and is kept. The ledger that it replaces is kept \
                beside it, under a name that is printed. The restore is recorded in the audit trail of each. If the \
                command is interrupted, even by a power failure, either the old ledger or the new one is in place, \
                intact.

                Example: quartermaster ledger restore backups/monday.sqlite --database var/ledger.sqlite
                """)

        @Argument(help: "The backup.") var file: String

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation

        func run(_ program: any ServerProgram) async throws {
            let (ledger, date) = (try LedgerFile(await options.settings()), Date())
            guard FileManager.default.fileExists(atPath: file) else { throw CommandError("\(file): there is no file") }
            guard URL(filePath: file).resolvingSymlinksInPath() != URL(filePath: ledger.path).resolvingSymlinksInPath()
            else { throw CommandError("\(file): it is the ledger itself") }
            try ledger.requireUnused()
            let line = ProgressLine.onTerminal(clock: { Date() })
            defer { line?.clear() }
            try await SQLiteFile(file).withCheckedCopy(beside: ledger.path, isReadOnly: true, line) { copy, trail in
                let kept = ledger.exists ? "\(ledger.path).\(Self.stamp(date))" : nil
                let record = RestoreRecord(backup: file, place: trail.place, replacedFile: kept, date: date)
                try await ledger.naming { try await record.replace(ledger, by: copy) }
                confirmation.print("\(ledger.path): restored; \(trail.rowsText)")
                if let kept { confirmation.print("what it replaced: \(kept)") }
            }
        }

        /// The suffix of a replaced ledger, such as `replaced-20261121T181500123Z`.
        private static func stamp(_ date: Date) -> String {
            "replaced-" + date.rfc3339.filter { $0.isNumber || $0 == "T" } + "Z"
        }
    }
}

extension TrailSummary {
    fileprivate var rowsText: String { "\(sealed + unsealed) rows in the audit trail, \(sealed) of them sealed" }
}

extension RestoreRecord {
    /// Writes both audit rows, and puts the copy of the backup in the ledger's place.
    fileprivate func replace(_ ledger: LedgerFile, by copy: String) async throws {
        let replaced: ChainPosition?
        do { replaced = ledger.exists ? try await tellReplaced(ledger.file) : nil } catch let error as LedgerUnavailable
        {
            throw LedgerUnavailable("\(error.detail); move it away, with its -wal and -shm, and restore again")
        }
        do {
            try await tellRestored(SQLiteFile(copy), replaced: replaced)
            try ledger.giveOwner(to: copy)
            try ledger.file.replace(by: copy, keeping: replacedFile ?? "")
        } catch {
            if replaced != nil { try? await tellNotReplaced(ledger.file) }
            throw error
        }
    }
}

extension LedgerFile {
    /// Gives the copy the old file's owner and permissions, so that the server can open it.
    ///
    /// - Throws: ``/ServerCore/CommandError`` if this user may not change the owner.
    fileprivate func giveOwner(to copy: String) throws {
        guard let old = try? FilePath(path).stat() else { return }
        let isOurs = old.userID.rawValue == geteuid() && old.groupID.rawValue == getegid()
        guard isOurs || chown(copy, old.userID.rawValue, old.groupID.rawValue) == 0,
            chmod(copy, old.permissions.rawValue) == 0
        else { throw CommandError("\(path): it is another user's: \(String(cString: strerror(errno)))") }
    }
}
