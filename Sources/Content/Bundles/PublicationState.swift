/// The state of a version: whether players are offered it.
package enum PublicationState: String, Codable, Hashable, Sendable {
    /// Its files are being uploaded: not offered, not readable.
    case draft
    /// Offered.
    case published
    /// Not offered any more, but readable by its number.
    case yanked
}
