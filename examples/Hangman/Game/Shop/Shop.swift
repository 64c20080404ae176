/// The shop as the screens show it: a snapshot, which the program makes of what the client says.
package struct Shop: Sendable, Equatable {
    /// In the order of the server's list.
    package var items: [ShopItem] = []
    package var bundles: [ShopBundle] = []
    package var hints = 0
    /// The account's ID, or `nil` before there is one.
    package var account: String?
    package var isOnline = false
    /// A text of those who run the server.
    package var notice: String?
    /// How many purchases the server has not judged yet.
    package var waiting = 0
    package var needsUpdate = false
    /// Whether a purchase of the same customer belongs to another account, from which a restore would transfer it.
    package var hasOtherOwner = false

    package init() {}

    package func bundle(_ name: String) -> ShopBundle? {
        bundles.first { $0.name == name }
    }

    /// The bundles that the item gives access to, as far as they are known.
    package func bundles(of item: ShopItem) -> [ShopBundle] {
        item.bundles.compactMap(bundle)
    }

    /// Those of them that are not installed, or have an update.
    package func outdatedBundles(of item: ShopItem) -> [ShopBundle] {
        bundles(of: item).filter { $0.installed == nil || $0.update != nil }
    }
}
