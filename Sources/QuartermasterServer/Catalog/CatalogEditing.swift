import Foundation
import Ledger

/// Edits single products of the catalog, one at a time.
protocol CatalogEditing: Sendable {
    /// Checks, records, writes and serves the edit. A repeated edit changes nothing, and nothing is recorded.
    ///
    /// - Throws: ``CatalogRefusal``, ``InAppPurchase/LedgerUnavailable``; the catalog is then unchanged, unless the
    ///   refusal says otherwise.
    func apply(_ edit: CatalogEdit, by actor: AuditActor, at date: Date) async throws -> CatalogChange
}
