/// Who is offered a version.
package enum ReleaseChannel: String, Codable, Hashable, Sendable, CaseIterable {
    case stable
    /// Only accounts that an administrator named.
    case beta
}
