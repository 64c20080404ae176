/// What is wrong with `products.json`, and where.
struct CatalogError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
