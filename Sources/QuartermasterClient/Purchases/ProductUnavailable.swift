/// The store does not sell the product to this customer: it does not know it, or not in this storefront.
public struct ProductUnavailable: Error, Sendable, Equatable {
    /// The product's ID.
    public var productID: String

    public init(productID: String) {
        self.productID = productID
    }
}
