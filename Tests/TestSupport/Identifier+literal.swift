public import InAppPurchase

// Tests write identifiers as literals. The product does not: what comes from outside is checked there.
extension BundleID: ExpressibleByStringInterpolation {}
extension BundleName: ExpressibleByStringInterpolation {}
extension Currency: ExpressibleByStringInterpolation {}
extension ProductID: ExpressibleByStringInterpolation {}
extension TransactionID: ExpressibleByStringInterpolation {}

extension Identifier where Self: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(stored: text) }
}
