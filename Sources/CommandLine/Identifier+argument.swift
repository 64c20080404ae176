public import ArgumentParser
public import InAppPurchase

// Not checked, since what a command names is looked up: an unknown name is refused then, along with the names that
// exist.
extension BundleID: ExpressibleByArgument {}
extension BundleName: ExpressibleByArgument {}
extension ProductID: ExpressibleByArgument {}

extension AccountID: ExpressibleByArgument {
    /// Reads the UUID of an account; `nil` if the argument is none.
    public init?(argument: String) { self.init(text: argument) }
}

extension Identifier where Self: ExpressibleByArgument {
    /// Takes the argument as the identifier, unchecked.
    public init?(argument: String) { self.init(stored: argument) }
}
