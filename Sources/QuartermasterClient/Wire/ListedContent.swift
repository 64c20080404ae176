/// The newest version of a bundle that a product includes, as the product list states it.
public struct ListedContent: Sendable, Hashable, Decodable {
    /// The name of the bundle.
    public var bundle: String
    /// A semantic version.
    public var version: String
    /// The size of its files together, in bytes.
    public var size: Int

    public init(bundle: String, version: String, size: Int) {
        self.bundle = bundle
        self.version = version
        self.size = size
    }
}
