/// A mistake in the catalog, with its position.
struct CatalogError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
