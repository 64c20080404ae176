public import ArgumentParser
public import InAppPurchase

// What a command names is looked up: a name that nothing has is refused there, with the names that exist.
extension BundleID: ExpressibleByArgument {}
extension BundleName: ExpressibleByArgument {}
extension ProductID: ExpressibleByArgument {}

extension AccountID: ExpressibleByArgument {
    /// The account whose UUID an argument is; `nil` if it is none.
    public init?(argument: String) { self.init(text: argument) }
}

extension Identifier where Self: ExpressibleByArgument {
    /// The identifier that an argument is, unchecked.
    public init?(argument: String) { self.init(stored: argument) }
}
