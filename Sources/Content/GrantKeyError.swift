/// Grants cannot be signed.
package enum GrantKeyError: Error, Hashable, Sendable {
    /// What is stored under this name is no key of ours.
    case unreadable(String)
    /// A new secret of another length than 32 bytes.
    case secretLength(Int)
}
