public import Foundation
import InAppPurchase

/// Whether players are offered a version.
public enum PublicationState: String, Codable, Hashable, Sendable {
    /// Its files are still on their way: not offered, not readable.
    case draft
    /// Offered.
    case published
    /// Not offered any more, still readable to those who ask for it by its number.
    case yanked
}

/// One version of a bundle as the store keeps it.
public struct VersionRecord: Hashable, Sendable {
    public var manifest: Manifest
    public var state: PublicationState
    /// Nil for a draft, and for a version that a folder was made for by hand.
    public var publishedAt: Date?
    /// It may stand below the newest version, as the highest of its own line.
    public var isPatch: Bool
    /// Who is offered it; nil where nobody said: see ``VersionChoice``.
    public var channel: ReleaseChannel?

    public init(
        manifest: Manifest, state: PublicationState, publishedAt: Date? = nil, isPatch: Bool = false,
        channel: ReleaseChannel? = nil
    ) {
        (self.manifest, self.state, self.channel) = (manifest, state, channel)
        (self.publishedAt, self.isPatch) = (publishedAt, isPatch)
    }
}

extension VersionRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case manifest, state, publishedAt, channel
        case isPatch = "patch"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            manifest: try members.decode(Manifest.self, forKey: .manifest),
            state: try members.decode(PublicationState.self, forKey: .state),
            publishedAt: try members.decodeTimeIfPresent(forKey: .publishedAt),
            isPatch: try members.decodeIfPresent(Bool.self, forKey: .isPatch) ?? false,
            channel: try members.decodeIfPresent(ReleaseChannel.self, forKey: .channel))
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(manifest, forKey: .manifest)
        try members.encode(state, forKey: .state)
        try members.encodeIfPresent(publishedAt?.rfc3339, forKey: .publishedAt)
        if isPatch { try members.encode(isPatch, forKey: .isPatch) }
        try members.encodeIfPresent(channel, forKey: .channel)
    }
}
