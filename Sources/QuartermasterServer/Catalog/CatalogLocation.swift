/// Where the catalog is kept.
enum CatalogLocation: String, CaseIterable, Sendable {
    /// `products.json`, which this machine alone has.
    case file
    /// The ledger's database, which all its servers share.
    case database
}
