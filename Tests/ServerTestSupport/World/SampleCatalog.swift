package import InAppPurchase

/// Products and catalogs of many tests, as text of `products.json`.
package enum SampleCatalog {
    package static func text(_ products: String...) -> String {
        "{\"apps\": [{\"bundleID\": \"com.example.hangman\", \"products\": [\(products.joined(separator: ",\n"))]}]}"
    }

    package static let hints = """
        {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 10}}
        """
    package static let words = """
        {"id": "com.example.hangman.hardwords", "type": "non-consumable", "bundles": ["hard-words"]}
        """
    package static let bad = "{\"id\": \"com.example.hangman.x\", \"type\": \"lootbox\"}"

    package static let (five, hard) = ("com.example.hangman.fivehints", "com.example.hangman.hardwords")
    package static let fiveHints = "{\"id\": \"\(five)\", \"type\": \"consumable\", \"credits\": {\"hints\": 5}}"

    /// Two apps, which sell an identifier each in their own way.
    package static let twoApps = """
        {"apps": [
          {"bundleID": "com.example.hangman", "products": [
            {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 10}}]},
          {"bundleID": "com.example.chess", "products": [
            {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 7}},
            {"id": "com.example.chess.board", "type": "non-consumable", "bundles": ["night-theme"]}]}]}
        """
    package static let chess = "com.example.chess"
    package static let inChess: [String: JSONValue] = ["bundleID": .string(chess)]
}
