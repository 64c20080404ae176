import Foundation
import InAppPurchase
import Ledger

/// Edits single products and the settings of apps in the catalog, one edit at a time.
protocol CatalogEditing: Sendable {
    /// The handlers of all product types.
    var handlers: [any ProductHandler.Type] { get }
    /// The bundles that the catalog may name.
    var bundles: @Sendable () -> [BundleName] { get }

    /// The change that the edit would make now. Nothing is recorded or written.
    ///
    /// - Throws: as ``apply(_:by:reason:at:)``.
    func check<Edit: CatalogOperation>(_ edit: Edit, by administrator: Administrator) async throws -> Edit.Change

    /// Checks, records, writes and serves the edit. A repeated edit changes nothing, and nothing is recorded.
    ///
    /// - Throws: ``CatalogRefusal``, ``InAppPurchase/LedgerUnavailable``, ``Problem`` for what is out of the
    ///   administrator's reach; the catalog is then unchanged, unless the refusal says otherwise.
    func apply<Edit: CatalogOperation>(
        _ edit: Edit, by administrator: Administrator, reason: EditReason?, at date: Date
    ) async throws -> Edit.Change
}
