package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP
import StrictJSON

/// The newest revision of the catalog in the ledger, which all servers of the ledger share.
package struct LedgerCatalog: CatalogSource {
    package let ledger: any CatalogLedger

    package init(ledger: any CatalogLedger) {
        self.ledger = ledger
    }

    package var name: String { "the catalog in the database" }
    package var isEditedByHand: Bool { false }

    /// - Throws: ``CatalogError`` if there is none; ``/Ledger/LedgerUnavailable``.
    package func text() async throws -> Data {
        guard let newest = try await ledger.newestCatalogRevision(after: 0) else { throw CatalogError.none }
        return newest.text
    }

    package func file(
        otherThan served: CatalogFile?, bundles: [BundleName]?, handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile? {
        guard let newest = try await ledger.newestCatalogRevision(after: served?.number ?? 0) else { return nil }
        return try CatalogFile(newest.text, number: newest.number, bundles: bundles, handlers: handlers)
    }

    /// Adds the file as the first revision if there is none, so that the first start is as simple as with a file.
    ///
    /// - Returns: whether it was added. Of several servers that start at the same time one adds it.
    /// - Throws: ``CommandError`` if the file is not strict JSON: from then on what a revision has is not refused.
    func adopt(_ path: String, at date: Date) async throws -> Bool {
        guard try await ledger.newestCatalogRevision(after: 0) == nil, let text = try? CatalogFile.read(path) else {
            return false
        }
        do { _ = try StrictJSON(text, CatalogFile.limits, tolerance: .byteOrderMark) } catch {
            throw CommandError("\(path): \(error.description)")
        }
        let content: [String: JSONValue] = [
            "revisionAfter": .string(CatalogFile.revision(of: text)), "number": .integer(1),
        ]
        let entry = AuditEntry(.catalogReplaced, content: content, at: date)
        return try await ledger.addCatalogRevision(text, after: 0, entry) != nil
    }
}
