package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// Edits the catalog in the ledger: each edit adds a revision on top of the one it was made from, and is repeated if
/// another server was faster.
package struct LedgerCatalogEditor: CatalogEditing {
    /// The maximum number of attempts at an edit before it is refused as busy.
    static let maximumTries = 10

    package let ledger: any CatalogLedger
    package let handlers: [any ProductHandler.Type]
    package let bundles: @Sendable () -> [BundleName]
    /// Serves the new revision; `nil` in a command.
    package let activation: CatalogActivation?

    package init(
        ledger: any CatalogLedger, handlers: [any ProductHandler.Type], bundles: @escaping @Sendable () -> [BundleName],
        activation: CatalogActivation?
    ) {
        self.ledger = ledger
        self.handlers = handlers
        self.bundles = bundles
        self.activation = activation
    }

    package func check<Edit: CatalogOperation>(_ edit: Edit, by administrator: Administrator) async throws
        -> Edit.Change
    {
        let change = try edit.change(of: await newest(for: administrator), bundles: bundles(), handlers: handlers)
        try administrator.requireBundles(of: change)
        try await edit.check(change, against: ledger)
        return change
    }

    package func apply<Edit: CatalogOperation>(
        _ edit: Edit, by administrator: Administrator, reason: EditReason? = nil, at date: Date
    ) async throws -> Edit.Change {
        for _ in 0..<Self.maximumTries {
            var change = try await check(edit, by: administrator)
            guard change.outcome != .unchanged else { return change }
            let entry = AuditEntry(
                change.auditKind, by: administrator.actor, subject: change.subject, content: change.content(reason),
                at: date)
            if let added = try await add(change.files.new, after: change.files.old, entry) {
                change.files.new = added
                return change
            }
        }
        throw CatalogRefusal.busy
    }

    /// Replaces the whole catalog.
    ///
    /// - Parameter revision: the revision that must be the newest, as printed by `products check`; `nil` for any.
    /// - Returns: the new revision; `nil` if the catalog has this text already.
    /// - Throws: ``CatalogError``, ``CatalogRefusal``, ``/Ledger/LedgerUnavailable``.
    package func replace(
        with text: Data, ifRevision revision: String? = nil, by actor: AuditActor, at date: Date
    ) async throws -> CatalogFile? {
        let new = try CatalogFile(text, bundles: bundles(), handlers: handlers)
        for _ in 0..<Self.maximumTries {
            let newest = try await ledger.newestCatalogRevision(after: 0)
            // The old catalog is not checked: it may be invalid, and this corrects it.
            let served = newest.map { CatalogFile.revision(of: $0.text) }
            if let revision, revision != served { throw CatalogRefusal.preconditionFailed(revision: served ?? "none") }
            guard served != new.revision else { return nil }
            var content = newest.flatMap { try? difference(from: $0, to: new) } ?? [:]
            content["revisionBefore"] = served.map { .string($0) }
            content["revisionAfter"] = .string(new.revision)
            let entry = AuditEntry(.catalogReplaced, by: actor, content: content, at: date)
            if let added = try await ledger.addCatalogRevision(text, after: newest?.number ?? 0, entry) {
                let numbered = new.numbered(added.number)
                _ = await activation?.reload(numbered)
                return numbered
            }
        }
        throw CatalogRefusal.busy
    }

    private func difference(from old: CatalogRevision, to new: CatalogFile) throws -> [String: JSONValue] {
        let old = try CatalogFile(old.text, number: old.number, bundles: bundles(), handlers: handlers)
        return CatalogDifference(from: old, to: new).content
    }

    private func newest(for administrator: Administrator) async throws -> CatalogFile {
        do {
            let source = LedgerCatalog(ledger: ledger)
            guard let file = try await source.file(otherThan: nil, bundles: bundles(), handlers: handlers) else {
                throw CatalogRefusal.unknownApp
            }
            return file
        } catch let error as CatalogError {
            throw administrator.refusal(of: error)
        }
    }

    private func add(_ new: CatalogFile, after old: CatalogFile, _ entry: AuditEntry) async throws -> CatalogFile? {
        guard let added = try await ledger.addCatalogRevision(new.bytes, after: old.number ?? 0, entry) else {
            return nil
        }
        let numbered = new.numbered(added.number)
        _ = await activation?.reload(numbered)
        return numbered
    }
}
