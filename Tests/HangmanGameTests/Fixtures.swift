import HangmanGame
import Testing

/// A shop with something in every state.
enum Fixtures {
    static var shop: Shop {
        var shop = Shop()
        shop.hints = 20
        shop.isOnline = true
        shop.account = "0b0e5c1e-0000-4000-8000-000000000001"
        shop.items = [
            item("tenhints", "Ten hints", "$0.99", .available),
            item("hardwords", "Hard words", "$2.99", .owned(until: nil), ["hard-words"], 16_568),
            item(
                "nighttheme.month", "Night theme, a month", "$0.99", .owned(until: "2026-12-23"), ["night-theme"],
                41_000),
            item("ioswords", "iOS words", "$2.99", .available, ["ios-words"], 18_332),
            item("club.monthly", "Club", "$4.99", .pending, ["night-theme"], 76_000),
            item("gone", "Not on sale any more", nil, .unavailable),
        ]
        shop.bundles = [
            bundle("animals", version: "1.0.0", installed: "1.0.0"),
            bundle("hard-words", version: "1.1.0", installed: "1.0.0", update: "1.1.0"),
            bundle("ios-words", version: "1.0.0", isReadable: false),
            bundle("night-theme", version: "1.0.0", transfer: Transfer(.downloading, received: 15_170, total: 41_000)),
        ]
        return shop
    }

    static var shelf: Shelf {
        Shelf([
            .init(bundle: "animals", title: "Animals", kind: .words(count: 40)),
            .init(bundle: "hard-words", title: "Hard words", kind: .words(count: 495)),
        ])
    }

    static func item(
        _ id: String, _ name: String, _ price: String?, _ state: ShopItem.State, _ bundles: [String] = [],
        _ size: Int? = nil
    ) -> ShopItem {
        ShopItem(
            id: "com.example.hangman.\(id)", name: name, description: "About \(name).", price: price, bundles: bundles,
            size: size, state: state)
    }

    static func bundle(
        _ name: String, version: String, installed: String? = nil, update: String? = nil, isReadable: Bool = true,
        transfer: Transfer? = nil
    ) -> ShopBundle {
        ShopBundle(
            name: name, version: version, size: 16_568, installed: installed, update: update, isReadable: isReadable,
            transfer: transfer)
    }

    static func model(_ columns: Int = 80, _ rows: Int = 24) -> Model {
        var model = Model(size: Size(columns: columns, rows: rows))
        _ = model.update(.shop(shop))
        _ = model.update(.shelf(shelf))
        return model
    }

    static func game(_ word: String = "jazz", clue: String = "Music of New Orleans") throws -> Game {
        Game(try #require(WordEntry(word: word, clue: clue)), pack: "Hard words")
    }
}
