import Foundation
import InAppPurchase

/// Where the catalog is kept.
protocol CatalogSource: Sendable {
    /// For messages to the operator.
    var name: String { get }
    /// Whether people edit it themselves, so that the audit trail has to be told of it.
    var isEditedByHand: Bool { get }

    /// What stands there, whether it is right or not.
    ///
    /// - Throws: ``CatalogError`` where it cannot be read; ``InAppPurchase/LedgerUnavailable``.
    func text() async throws -> Data

    /// The catalog as it stands there, where that is not what is served.
    ///
    /// - Throws: ``CatalogError`` where it is wrong; ``InAppPurchase/LedgerUnavailable``.
    func file(
        otherThan served: CatalogFile?, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile?
}

/// Changes single products of the catalog, one at a time.
protocol CatalogEditing: Sendable {
    /// Checks, records, writes and takes up the edit. The second time nothing changes, and nothing is recorded.
    ///
    /// - Throws: ``CatalogRefusal``, ``InAppPurchase/LedgerUnavailable``; then the catalog is as it was, or the refusal
    ///   says.
    func apply(_ edit: CatalogEdit, by actor: AuditActor, at date: Date) async throws -> CatalogChange
}

extension CatalogSource {
    /// The catalog as it is now.
    ///
    /// - Throws: ``CommandError`` that names the place and the mistake.
    func load(bundles: [BundleName], handlers: [any ProductHandler.Type]) async throws -> CatalogFile {
        do {
            guard let file = try await file(otherThan: nil, bundles: bundles, handlers: handlers) else {
                throw CatalogError.none
            }
            return file
        } catch let mistake as CatalogError {
            throw CommandError("\(name): \(mistake)")
        }
    }
}

extension CatalogError {
    fileprivate static let none = CatalogError("there is none; quartermaster catalog push <file> puts one there")
}

/// `products.json`.
struct FileCatalog: CatalogSource {
    let path: String

    var name: String { path }
    var isEditedByHand: Bool { true }

    func text() async throws -> Data { try CatalogFile.read(path) }

    func file(
        otherThan served: CatalogFile?, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile? {
        let bytes = try CatalogFile.read(path)
        guard CatalogFile.revision(of: bytes) != served?.revision else { return nil }
        return try CatalogFile(bytes, bundles: bundles, handlers: handlers)
    }
}

/// The newest revision in the ledger, which all servers of the ledger share.
struct LedgerCatalog: CatalogSource {
    let ledger: any CatalogRevisions

    var name: String { "the catalog in the database" }
    var isEditedByHand: Bool { false }

    func text() async throws -> Data {
        guard let newest = try await ledger.newestCatalogRevision(after: 0) else { throw CatalogError.none }
        return newest.text
    }

    func file(
        otherThan served: CatalogFile?, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile? {
        guard let newest = try await ledger.newestCatalogRevision(after: served?.number ?? 0) else { return nil }
        return try CatalogFile(newest.text, number: newest.number, bundles: bundles, handlers: handlers)
    }

    /// Makes the file the first revision where there is none yet, so that the first start is as simple as with a file.
    ///
    /// - Returns: whether it did. Of several servers that start at once one does.
    func adopt(_ path: String, at date: Date) async throws -> Bool {
        guard try await ledger.newestCatalogRevision(after: 0) == nil, let text = try? CatalogFile.read(path) else {
            return false
        }
        let content: [String: JSONValue] = [
            "revisionAfter": .string(CatalogFile.revision(of: text)), "number": .integer(1),
        ]
        let entry = AuditEntry(.catalogReplaced, content: content, at: date)
        return try await ledger.addCatalogRevision(text, after: 0, entry) != nil
    }
}
