package import Foundation
import InAppPurchase

/// One version of a bundle as the store keeps it.
package struct VersionRecord: Hashable, Sendable {
    package var manifest: Manifest
    package var state: PublicationState
    /// Nil for a draft, and for a version that a folder was made for by hand.
    package var publishedAt: Date?
    /// It may stand below the newest version, as the highest of its own line.
    package var isPatch: Bool
    /// Who is offered it; nil where nobody said: see ``VersionChoice``.
    package var channel: ReleaseChannel?

    package init(
        manifest: Manifest, state: PublicationState, publishedAt: Date? = nil, isPatch: Bool = false,
        channel: ReleaseChannel? = nil
    ) {
        self.manifest = manifest
        self.state = state
        self.channel = channel
        self.publishedAt = publishedAt
        self.isPatch = isPatch
    }
}

extension VersionRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case manifest, state, publishedAt, channel
        case isPatch = "patch"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            manifest: try members.decode(Manifest.self, forKey: .manifest),
            state: try members.decode(PublicationState.self, forKey: .state),
            publishedAt: try members.decodeTimeIfPresent(forKey: .publishedAt),
            isPatch: try members.decodeIfPresent(Bool.self, forKey: .isPatch) ?? false,
            channel: try members.decodeIfPresent(ReleaseChannel.self, forKey: .channel))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(manifest, forKey: .manifest)
        try members.encode(state, forKey: .state)
        try members.encodeIfPresent(publishedAt?.rfc3339, forKey: .publishedAt)
        if isPatch { try members.encode(isPatch, forKey: .isPatch) }
        try members.encodeIfPresent(channel, forKey: .channel)
    }
}
