/// A key that cannot be loaded from, or written to, a key-value store.
package enum StoredKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value stored under this name is no key of its kind.
    case unreadable(String)
    /// The secret that was made for this name is no secret of its kind; it was not stored.
    case invalidSecret(String)

    package var description: String {
        switch self {
        case .unreadable(let name): "\(name) is no key"
        case .invalidSecret(let name): "the secret made for \(name) is invalid"
        }
    }
}
