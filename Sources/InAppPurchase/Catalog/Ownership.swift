/// Whether an original transaction follows the player to another account (`ownership` in `products.json`).
public enum Ownership: String, Codable, Sendable {
    case transfer
    case keep
}
