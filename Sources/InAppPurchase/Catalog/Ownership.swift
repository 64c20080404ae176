/// Whether an original transaction may be transferred to another account of the player (`ownership` in
/// `products.json`).
public enum Ownership: String, Codable, Sendable {
    /// It may be transferred.
    case transfer
    /// It stays with its owner; only an administrator transfers it.
    case keep
}
