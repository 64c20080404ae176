import InAppPurchase
import Ledger

/// An edit of the catalog, as editors check, record, write and serve it.
protocol CatalogOperation: Sendable {
    associatedtype Change: RecordedChange

    /// The change that the edit makes of a catalog, decoded and checked as a whole. Nothing is written.
    ///
    /// - Throws: ``CatalogRefusal``
    func change(
        of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) throws -> Change

    /// Refuses a change that the ledger's records forbid.
    ///
    /// - Throws: ``CatalogRefusal``, ``InAppPurchase/LedgerUnavailable``.
    func check(_ change: Change, against ledger: any Ledger) async throws
}

extension CatalogOperation {
    func check(_ change: Change, against ledger: any Ledger) async throws {}
}
