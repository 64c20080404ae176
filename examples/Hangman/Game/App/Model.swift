/// All that the screens show. Only ``update(_:)`` changes it.
package struct Model: Sendable, Equatable {
    package var size: Size
    package var tab = Tab.play
    package var saved: Saved
    package var shop = Shop()
    package var shelf = Shelf()
    /// The selected row of each list.
    package var rows: [Tab: Int] = [:]
    /// The recovery code that is being typed.
    package var entry: String?
    /// The player's own recovery code, while it is shown.
    package var code: String?
    /// A sentence about the latest event.
    package var notice = ""
    /// Whether a hint is being paid.
    package var isSpending = false
    /// Whether the player wants no network.
    package var isOffline = false

    package init(size: Size = .standard, saved: Saved = Saved()) {
        self.size = size
        self.saved = saved
    }

    package var game: Game? { saved.game }

    /// The theme that was chosen, if it is here and may be used.
    package var theme: Theme? { shelf.theme(saved.theme) }

    /// The products that can be bought or were bought, in the order of the server's list.
    package var items: [ShopItem] { shop.items.filter { $0.state != .unavailable } }

    /// The rows of the packs' screen: the built-in words, and every bundle that is readable or installed.
    package var packs: [ShopBundle?] {
        [nil] + shop.bundles.filter { $0.isReadable || $0.installed != nil }
    }

    /// The selected row of a list with so many rows.
    package func row(of count: Int) -> Int {
        max(0, min(rows[tab] ?? 0, count - 1))
    }

    package var selectedItem: ShopItem? {
        let items = items
        return items.isEmpty ? nil : items[row(of: items.count)]
    }

    /// The selected bundle; `nil` for the built-in words.
    package var selectedPack: ShopBundle? {
        let packs = packs
        return packs[row(of: packs.count)]
    }
}
