public import ArgumentParser
public import InAppPurchase

// Not checked, since what a command names is looked up: an unknown name is refused then, along with the names that
// exist.
extension BundleID: ExpressibleByArgument {}
extension BundleName: ExpressibleByArgument {}
extension ProductID: ExpressibleByArgument {}

extension AccountID {
    /// Reads the UUID of an account.
    ///
    /// - Throws: `ValidationError` that says what is expected.
    static func argument(_ text: String) throws -> AccountID {
        guard let account = AccountID(text: text) else {
            throw ValidationError(
                "an account's ID is a UUID of 36 characters, such as 946cfa6b-15d2-4a46-80c4-54ee4b20b092")
        }
        return account
    }
}

extension Identifier where Self: ExpressibleByArgument {
    /// Takes the argument as the identifier, unchecked.
    public init?(argument: String) { self.init(stored: argument) }
}
