import Foundation
import LedgerPostgres
import SystemPackage

/// Where the file with the audit trail's checkpoints is.
struct CheckpointsSetting: Hashable, Sendable {
    private static let suffix = ".checkpoints.jsonl"

    let path: String
    /// Whether an operator chose it; else it lies beside the ledger.
    private let isChosen: Bool

    /// - Parameters:
    ///   - chosen: nil for `<database>.checkpoints.jsonl`; with PostgreSQL, which has no file, for
    ///     `quartermaster.checkpoints.jsonl` in the current folder.
    ///   - database: as the settings have it.
    init(chosen: String?, database: String) {
        let ledger = PostgresLedger.isURL(database) ? "quartermaster" : database
        path = chosen ?? ledger + Self.suffix
        isChosen = chosen != nil
    }

    /// The file, which is made with the first checkpoint; one that an operator chose is tried at once.
    ///
    /// - Throws: ``SettingError`` where that cannot be written.
    func file() throws -> CheckpointFile {
        let file = CheckpointFile(path)
        if isChosen {
            do { try file.check() } catch {
                throw SettingError("checkpoints: \(path) cannot be written: \(error)")
            }
        }
        return file
    }
}
