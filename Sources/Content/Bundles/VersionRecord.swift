package import Foundation
import InAppPurchase

/// The stored record of one version of a bundle.
package struct VersionRecord: Hashable, Sendable {
    package var manifest: Manifest
    package var state: PublicationState
    /// The date of publication; `nil` for a draft, and for a version in a folder made by hand.
    package var publishedAt: Date?
    /// Whether it may be below the newest version, as the highest of those with its first two numbers.
    package var isPatch: Bool
    /// The channel on which it is offered; for `nil` see ``VersionChoice``.
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

/// The state of a version: whether players are offered it.
package enum PublicationState: String, Codable, Hashable, Sendable {
    /// Its files are being uploaded: not offered, not readable.
    case draft
    /// Offered.
    case published
    /// Not offered any more, but readable by its number.
    case yanked
}

/// The players to whom a version is offered.
package enum ReleaseChannel: String, Codable, Hashable, Sendable, CaseIterable {
    case stable
    /// Only accounts that an administrator named.
    case beta
}
