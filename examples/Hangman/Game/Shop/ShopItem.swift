/// A product in the shop.
package struct ShopItem: Sendable, Equatable {
    /// Whether it can be bought, or what has become of it.
    package enum State: Sendable, Equatable {
        case available, unavailable, buying
        /// Somebody else has to approve the purchase.
        case pending
        /// It is paid, and the server has not judged it yet.
        case waiting
        /// Owned until a day, `2026-12-23`, or for ever.
        case owned(until: String?)

        /// One word for programs.
        package var word: String {
            switch self {
            case .available: "available"
            case .unavailable: "unavailable"
            case .buying: "buying"
            case .pending: "pending"
            case .waiting: "waiting"
            case .owned: "owned"
            }
        }
    }

    package var id: String
    package var name: String
    package var description: String
    /// As the store writes it, or `nil` if the store does not know the product.
    package var price: String?
    /// The names of the bundles that it gives access to.
    package var bundles: [String]
    /// Of all its bundles together, in bytes; `nil` if it has none.
    package var size: Int?
    package var state: State
    /// Whether it can be bought again while its time runs, for more of it.
    package var canBeExtended: Bool

    package var isOwned: Bool { if case .owned = state { true } else { false } }

    package init(
        id: String, name: String, description: String, price: String?, bundles: [String], size: Int?, state: State,
        canBeExtended: Bool = false
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.price = price
        self.bundles = bundles
        self.size = size
        self.state = state
        self.canBeExtended = canBeExtended
    }
}
