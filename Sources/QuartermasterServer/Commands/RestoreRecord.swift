import AuditSeal
import Foundation
import InAppPurchase
import LedgerSQL
import LedgerSQLite

/// What the audit trails of two ledgers tell of a restoration, each under a seal: that which is put aside names the
/// backup, that which takes its place names what it replaced. So nobody goes back to an earlier state without a word.
struct RestoreRecord: Sendable {
    /// The backup's file.
    let backup: String
    /// How far the backup's chain had come.
    let place: ChainPosition?
    /// Where the ledger that is replaced is kept; nil where there was none.
    let kept: String?
    let date: Date

    /// Appends to the trail of the ledger that is put aside, before it is: afterwards it is nobody's any more.
    ///
    /// - Returns: how far its chain has come with this row; nil where it has no trail to write to.
    func tellReplaced(_ file: SQLiteFile) async throws -> ChainPosition? {
        try await append(.ledgerReplaced, content(at: place, ["keptAs": kept.map { .string($0) } ?? .null]), to: file)
    }

    /// Undoes the row before.
    func tellNotReplaced(_ file: SQLiteFile) async throws {
        _ = try await append(.ledgerNotReplaced, content(at: place), to: file)
    }

    /// Appends to the trail of the backup's copy, before it takes the ledger's place.
    ///
    /// - Parameter replaced: how far the other ledger's chain had come.
    func tellRestored(_ copy: SQLiteFile, replaced: ChainPosition?) async throws {
        var more: [String: JSONValue] = [:]
        if let kept { more["replaced"] = .object(["keptAs": .string(kept)].merging(replaced.members) { $1 }) }
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
    /// None where nothing was sealed.
    fileprivate var members: [String: JSONValue] {
        guard let self else { return [:] }
        return ["position": .integer(self.position), "hash": .string(self.hash.hex)]
    }
}
