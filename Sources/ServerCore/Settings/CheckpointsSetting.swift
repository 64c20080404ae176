import Foundation
import LedgerPostgres
import ServerHTTP
import SystemPackage

/// The path of the file with the audit trail's checkpoints.
package struct CheckpointsSetting: Hashable, Sendable {
    static let suffix = ".checkpoints.jsonl"

    let path: String
    /// Whether the operator chose the path; otherwise the file is beside the ledger.
    private let isChosen: Bool

    /// - Parameters:
    ///   - chosen: `nil` for `<database>.checkpoints.jsonl`; with PostgreSQL, which has no file, for
    ///     `quartermaster.checkpoints.jsonl` in the current folder.
    ///   - database: the setting of that name.
    init(chosen: String?, database: String) {
        let ledger = PostgresLedger.isURL(database) ? "quartermaster" : database
        path = chosen ?? ledger + Self.suffix
        isChosen = chosen != nil
    }

    /// Checks that a file that the operator chose can be written; creates none.
    ///
    /// - Throws: ``/ServerHTTP/SettingError``
    package func check() throws {
        guard isChosen, let cause = LocalUser.current.hindrance(at: path, writing: true) else { return }
        throw SettingError("checkpoints: \(path) cannot be written: \(cause)")
    }

    /// The file, which is created with the first checkpoint; one that the operator chose is checked at once.
    ///
    /// - Throws: ``/ServerHTTP/SettingError`` if that one cannot be written.
    package func file() throws -> CheckpointFile {
        let file = CheckpointFile(path)
        if isChosen {
            do { try file.check() } catch {
                throw SettingError("checkpoints: \(path) cannot be written: \(error)")
            }
        }
        return file
    }
}
