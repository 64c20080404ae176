/// Whether players are offered a version.
package enum PublicationState: String, Codable, Hashable, Sendable {
    /// Its files are still on their way: not offered, not readable.
    case draft
    /// Offered.
    case published
    /// Not offered any more, still readable to those who ask for it by its number.
    case yanked
}
