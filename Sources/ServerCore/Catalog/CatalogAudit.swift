package import Basics
package import Foundation
import InAppPurchase
package import Ledger
import ServerHTTP
import StrictJSON

/// The audit trail of the catalog: edits by an editor, and edits by hand.
///
/// The ledger stores the revision that the trail has recorded. A file with another one was edited by hand; if several
/// processes notice it, they write one row.
package struct CatalogAudit: Sendable {
    static let revisionKey = "catalog/revision"

    package let ledger: any CatalogLedger & AuditLedger & KeyValueStore

    package init(ledger: any CatalogLedger & AuditLedger & KeyValueStore) {
        self.ledger = ledger
    }

    /// Appends the row of an edit before the file is written.
    package func append(_ change: some RecordedChange, by actor: AuditActor, reason: EditReason?, at date: Date)
        async throws
    {
        try await ledger.append(
            AuditEntry(change.auditKind, by: actor, subject: change.subject, content: change.content(reason), at: date))
        try await set(change.files.new.revision)
    }

    /// Appends a row that retracts the row of an edit: it did not happen.
    func retract(
        _ change: some RecordedChange, by actor: AuditActor, because reason: String, at date: Date
    ) async throws {
        let content: [String: JSONValue] = [
            "app": .string(change.app.text), "reason": .string(reason),
            "revision": .string(change.files.old.revision),
            "revisionNotReached": .string(change.files.new.revision),
        ]
        try await ledger.append(
            AuditEntry(change.retractionKind, by: actor, subject: change.subject, content: content, at: date))
        try await set(change.files.old.revision)
    }

    /// Appends a row for an edit of the file by hand, unless it is recorded already.
    ///
    /// - Parameter old: the catalog that was served before; `nil` if it is not known.
    func recordHandEdit(from old: CatalogFile?, to new: CatalogFile, at date: Date) async throws {
        let known = try await ledger.value(forKey: Self.revisionKey).map { String(decoding: $0, as: UTF8.self) }
        guard known != new.revision else { return }
        let old = old?.revision == new.revision ? nil : old
        if let before = old?.revision ?? known {
            var content = old.map { CatalogDifference(from: $0, to: new).content } ?? [:]
            content["revisionBefore"] = .string(before)
            content["revisionAfter"] = .string(new.revision)
            try await ledger.append(AuditEntry(.catalogReplaced, content: content, at: date))
        }
        try await set(new.revision)
    }

    private func set(_ revision: String) async throws { try await ledger.set([Self.revisionKey: Data(revision.utf8)]) }
}
