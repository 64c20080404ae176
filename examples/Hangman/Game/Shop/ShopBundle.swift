/// A bundle that the player may download, or has.
package struct ShopBundle: Sendable, Equatable {
    package var name: String
    /// The newest version for this game, or `nil` if nobody has told it.
    package var version: String?
    /// Of the newest version, in bytes.
    package var size: Int?
    package var installed: String?
    /// The newest version, if an older one is installed.
    package var update: String?
    /// Whether the player's purchases let it be used now.
    package var isReadable: Bool
    /// Whether it came, or is to come, without being asked for.
    package var isEssential: Bool
    package var transfer: Transfer?

    package init(
        name: String, version: String?, size: Int?, installed: String?, update: String?, isReadable: Bool,
        isEssential: Bool = false, transfer: Transfer?
    ) {
        self.name = name
        self.version = version
        self.size = size
        self.installed = installed
        self.update = update
        self.isReadable = isReadable
        self.isEssential = isEssential
        self.transfer = transfer
    }

    /// The name with spaces, for a bundle that is not here to tell its own: `Hard words`.
    package var title: String { Self.title(name) }

    /// The name with spaces and a capital: `Hard words` of `hard-words`.
    package static func title(_ name: String) -> String {
        let words = Columns.printable(name).replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
