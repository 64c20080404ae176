import Foundation
import InAppPurchase

/// Changes single products of the catalog, one at a time.
protocol CatalogEditing: Sendable {
    /// Checks, records, writes and takes up the edit. The second time nothing changes, and nothing is recorded.
    ///
    /// - Throws: ``CatalogRefusal``, ``InAppPurchase/LedgerUnavailable``; then the catalog is as it was, or the refusal
    ///   says.
    func apply(_ edit: CatalogEdit, by actor: AuditActor, at date: Date) async throws -> CatalogChange
}
