import InAppPurchase

/// The catalog as pages work with it.
struct CatalogDesk: Sendable {
    let live: LiveCatalog
    let editor: any CatalogEditing
    let lists: ProductLists

    /// The catalog with its history; `nil` if it is a file.
    var history: LedgerCatalogEditor? { editor as? LedgerCatalogEditor }
}
