/// The place of the catalog.
enum CatalogLocation: String, CaseIterable, Sendable {
    /// `products.json`, a file of this machine.
    case file
    /// The ledger's database, which all its servers share.
    case database
}
