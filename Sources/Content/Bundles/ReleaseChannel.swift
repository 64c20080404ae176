/// The players to whom a version is offered.
package enum ReleaseChannel: String, Codable, Hashable, Sendable, CaseIterable {
    case stable
    /// Only accounts that an administrator named.
    case beta
}
