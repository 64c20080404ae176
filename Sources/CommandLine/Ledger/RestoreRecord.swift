import Basics
import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerCore
import ServerHTTP

/// The sealed rows in the audit trails of two ledgers that record a restore: the replaced ledger's row names the
/// backup, the restored one's names what it replaced. So nobody can go back to an earlier state unnoticed.
struct RestoreRecord: Sendable {
    /// The path of the backup.
    let backup: String
    /// The last position of the backup's hash chain.
    let place: ChainPosition?
    /// The path that the replaced ledger is kept at; `nil` if there was none.
    let replacedFile: String?
    let date: Date

    /// Appends a row to the trail of the ledger that is replaced, before it is: afterwards no server opens it.
    ///
    /// - Returns: the last position of its chain, with this row; `nil` if it has no trail to write to.
    func tellReplaced(_ file: SQLiteFile) async throws -> ChainPosition? {
        try await append(
            .ledgerReplaced, content(at: place, ["keptAs": replacedFile.map { .string($0) } ?? .null]), to: file)
    }

    /// Records in the same trail that the ledger was not replaced after all.
    func tellNotReplaced(_ file: SQLiteFile) async throws {
        _ = try await append(.ledgerNotReplaced, content(at: place), to: file)
    }

    /// Appends a row to the trail of the backup's copy, before it takes the ledger's place.
    ///
    /// - Parameter replaced: the last position of the replaced ledger's chain.
    func tellRestored(_ copy: SQLiteFile, replaced: ChainPosition?) async throws {
        var more: [String: JSONValue] = [:]
        if let replacedFile {
            more["replaced"] = .object(["keptAs": .string(replacedFile)].merging(replaced.members) { $1 })
        }
        _ = try await append(.ledgerRestored, content(at: place, more), to: copy)
    }

    private func content(at place: ChainPosition?, _ more: [String: JSONValue] = [:]) -> [String: JSONValue] {
        ["backup": .object(["file": .string(backup)].merging(place.members) { $1 })].merging(more) { $1 }
    }

    private func append(
        _ kind: AuditEntry.Kind, _ content: [String: JSONValue], to file: SQLiteFile
    ) async throws -> ChainPosition? {
        let checkpoint = try await file.appendingToTrail { ledger in
            try await ledger.append(AuditEntry(kind, by: .operatingSystemUser, content: content, at: date))
            return try await ledger.sealTrail(at: date)
        }
        return (checkpoint ?? nil).map { ChainPosition(position: $0.position, hash: $0.hash) }
    }
}

extension ChainPosition? {
    /// The members of an audit row; empty if nothing was sealed.
    fileprivate var members: [String: JSONValue] {
        guard let self else { return [:] }
        return ["position": .integer(self.position), "hash": .string(self.hash.hex)]
    }
}
