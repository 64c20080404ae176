/// The errors of loading or making the keys of grants.
package enum GrantKeyError: Error, Hashable, Sendable {
    /// The value stored under this name is not a valid key.
    case unreadable(String)
    /// A new secret is not 32 bytes long; the associated value is its length in bytes.
    case secretLength(Int)
}
