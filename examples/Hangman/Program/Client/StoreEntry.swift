import HangmanGame
import QuartermasterClient

/// A product as App Store Connect would have it: what a player reads, and what it costs.
struct StoreEntry: Sendable, Encodable {
    let id: String
    let type: String
    let displayName: String
    let description: String
    /// In thousandths of a dollar.
    let price: Int
    /// Of a subscription that renews itself.
    let period: String?
    let group: String?

    private static let prefix = "com.example.hangman."

    private static let texts: [String: (name: String, description: String, price: Int)] = [
        "tenhints": ("Ten hints", "A hint shows what the word is about; the next one finds a letter.", 990),
        "hundredhints": ("A hundred hints", "For the whole of a long winter.", 4_990),
        "hardwords": ("Hard words", "Words with few vowels, rare letters or a spelling nobody remembers.", 2_990),
        "ioswords": ("iOS words", "The vocabulary of those who write apps.", 2_990),
        "nighttheme.month": ("Night theme, a month", "Dark colours for playing late. It ends by itself.", 990),
        "club.monthly": ("Club", "All packs and themes, as long as you are a member. Renews every month.", 4_990),
    ]

    /// The products that are shown before the server has answered for the first time, as it lists them.
    static let builtIn = [
        ListedProduct(id: prefix + "tenhints", type: .consumable),
        ListedProduct(id: prefix + "hundredhints", type: .consumable),
        ListedProduct(id: prefix + "hardwords", type: .nonConsumable, bundles: ["hard-words"]),
        ListedProduct(id: prefix + "ioswords", type: .nonConsumable, bundles: ["ios-words"]),
        ListedProduct(id: prefix + "nighttheme.month", type: .nonRenewing, bundles: ["night-theme"]),
        ListedProduct(
            id: prefix + "club.monthly", type: .autoRenewable, bundles: ["hard-words", "ios-words", "night-theme"]),
    ]

    /// The texts and the price of a product, also if it is none of those that the game was written with.
    static func named(_ id: String) -> (name: String, description: String, price: Int) {
        let short = id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
        return texts[short] ?? (ShopBundle.title(short), "", 990)
    }

    init(id: String, type: String) {
        let (name, description, price) = Self.named(id)
        self.id = id
        self.type = type
        self.displayName = name
        self.description = description
        self.price = price
        period = type == "auto-renewable" ? "P1M" : nil
        group = type == "auto-renewable" ? "club" : nil
    }
}
