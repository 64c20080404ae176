package import Foundation

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
    /// Whether the last key asked for a restore, which the next one may confirm.
    package var asksToRestore = false

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

/// The state that the game keeps from one start to the next. Purchases and downloads are kept by the client.
package struct Saved: Sendable, Equatable, Codable {
    /// The bundle that words are taken from; `nil` for the built-in words.
    package var pack: String?
    /// The bundle whose colours are used; `nil` for the terminal's own.
    package var theme: String?
    package var game: Game?
    package var won = 0
    package var lost = 0
    /// The key of a hint that is being paid: asked again with it, the server takes it once.
    package var hintKey: UUID?
    /// Bundles whose download has begun and not ended, and whether it is paused.
    package var downloads: [String: Bool] = [:]
    /// The essential bundles of which the player was told that they are here. `nil` in a file of an earlier version.
    package var arrived: Set<String>? = []

    package init() {}
}

/// The size of a terminal, in characters.
package struct Size: Sendable, Equatable {
    package let columns: Int
    package let rows: Int

    /// For a terminal that does not tell its size.
    package static let standard = Size(columns: 80, rows: 24)
    /// The screens are complete from this size on.
    package static let minimum = Size(columns: 60, rows: 20)
    /// More than this is not drawn.
    private static let maximum = Size(columns: 500, rows: 200)

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size that a terminal tells. One of 0 by 0, as there is without a window, counts as ``standard``.
    package init(reported columns: Int, _ rows: Int) {
        self.columns = columns > 0 ? min(columns, Self.maximum.columns) : Self.standard.columns
        self.rows = rows > 0 ? min(rows, Self.maximum.rows) : Self.standard.rows
    }
}

/// A screen of the game.
package enum Tab: Int, Sendable, CaseIterable {
    case play, store, packs, account

    package var title: String {
        switch self {
        case .play: "Play"
        case .store: "Store"
        case .packs: "Packs"
        case .account: "Account"
        }
    }

    /// The screen after so many others; after the last comes the first.
    package func advanced(by steps: Int) -> Self {
        let count = Self.allCases.count
        return Self(rawValue: ((rawValue + steps) % count + count) % count) ?? self
    }
}
