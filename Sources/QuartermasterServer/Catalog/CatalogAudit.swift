import Foundation
import InAppPurchase

/// The audit trail of the catalog: what an editor changed, and what was changed by hand.
///
/// The ledger keeps the revision that the trail has come to. A file at another one was edited by hand; several
/// processes that see it write one row.
struct CatalogAudit: Sendable {
    static let revisionKey = "catalog/revision"

    let ledger: any AuditTrail & KeyValueStore

    /// Appends that the file is edited, before it is.
    func append(_ change: CatalogChange, by actor: AuditActor, at date: Date) async throws {
        try await ledger.append(
            AuditEntry(change.auditKind, by: actor, subject: change.product, content: change.content, at: date))
        try await set(change.files.new.revision)
    }

    /// Appends that what was announced did not happen.
    func retract(_ change: CatalogChange, by actor: AuditActor, because reason: String, at date: Date) async throws {
        let content: [String: JSONValue] = [
            "app": .string(change.app), "reason": .string(reason),
            "revision": .string(change.files.old.revision),
            "revisionNotReached": .string(change.files.new.revision),
        ]
        try await ledger.append(
            AuditEntry(.productNotChanged, by: actor, subject: change.product, content: content, at: date))
        try await set(change.files.old.revision)
    }

    /// Appends that the file was edited by hand, where it was and that is not recorded yet.
    ///
    /// - Parameter old: what was served before; nil where that is not known.
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

    private func set(_ revision: String) async throws {
        try await ledger.set([Self.revisionKey: Data(revision.utf8)])
    }
}

extension CatalogChange {
    var auditKind: AuditEntry.Kind {
        switch outcome {
        case .added: .productAdded
        case .changed, .unchanged: .productChanged
        case .removed: .productRemoved
        }
    }

    /// For the audit trail.
    var content: [String: JSONValue] {
        [
            "app": .string(app), "before": before?.value ?? .null, "after": after?.value ?? .null,
            "revisionBefore": .string(files.old.revision), "revisionAfter": .string(files.new.revision),
        ]
    }
}

extension Data {
    fileprivate var value: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: self) }
}
