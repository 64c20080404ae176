/// A report of the products that the store did not know.
struct UnavailableProductsBody: RequestBody {
    /// The IDs as the app requested them; not product IDs, since those that the catalog does not have are dropped
    /// unread.
    var productIDs: [String]
}
