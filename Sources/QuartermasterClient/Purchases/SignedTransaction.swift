/// A transaction as the store signed it. The server verifies it; the client believes nothing that it says.
public struct SignedTransaction: Sendable, Codable, Equatable {
    /// The transaction's ID, a number in decimal digits.
    public var id: String
    /// The product that was bought.
    public var productID: String
    /// The signed transaction in compact serialization. It is as good as the purchase: keep it out of logs.
    public var jws: String
    /// The environment in which it was made, or `nil` if the store did not say.
    public var environment: StoreEnvironment?

    public init(id: String, productID: String, jws: String, environment: StoreEnvironment? = nil) {
        self.id = id
        self.productID = productID
        self.jws = jws
        self.environment = environment
    }
}
