import Basics
import Foundation
import InAppPurchase

/// The record of one bundle in a bucket: all its versions, in one object, so that a conditional write refuses whoever
/// changes it after another publisher did.
struct BundleFile: Hashable, Codable, Sendable {
    /// The maximum size in bytes: some thousands of versions.
    static let maximumBytes = 4 << 20

    /// A ``VersionRecord`` whose manifest is an object of its own.
    struct Entry: Hashable, Sendable {
        var version: SemanticVersion
        /// The SHA-256 of the manifest's bytes, in lower-case hexadecimal.
        var manifest: String
        var state: PublicationState
        var publishedAt: Date?
        var isPatch: Bool
        var channel: ReleaseChannel?
    }

    var bundle: BundleName
    /// The versions, the lowest first.
    private(set) var versions: [Entry] = []

    init(bundle: BundleName) { self.bundle = bundle }

    /// Adds the entry, or replaces the version's earlier one.
    mutating func set(_ entry: Entry) {
        versions = (versions.filter { $0.version != entry.version } + [entry]).sorted { $0.version < $1.version }
    }

    mutating func remove(_ version: SemanticVersion) { versions.removeAll { $0.version == version } }
}

extension BundleFile.Entry {
    init(_ record: VersionRecord, manifest: String) {
        version = record.manifest.version
        self.manifest = manifest
        state = record.state
        publishedAt = record.publishedAt
        isPatch = record.isPatch
        channel = record.channel
    }

    func record(_ manifest: Manifest) -> VersionRecord {
        VersionRecord(manifest: manifest, state: state, publishedAt: publishedAt, isPatch: isPatch, channel: channel)
    }
}

extension BundleFile.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, manifest, state, publishedAt, channel
        case isPatch = "patch"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            version: try members.decode(SemanticVersion.self, forKey: .version),
            manifest: try members.decode(String.self, forKey: .manifest),
            state: try members.decode(PublicationState.self, forKey: .state),
            publishedAt: try members.decodeTimeIfPresent(forKey: .publishedAt),
            isPatch: try members.decodeIfPresent(Bool.self, forKey: .isPatch) ?? false,
            channel: try members.decodeIfPresent(ReleaseChannel.self, forKey: .channel))
        guard manifest.isSHA256 else {
            throw DecodingError.dataCorruptedError(forKey: .manifest, in: members, debugDescription: "no SHA-256")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(version, forKey: .version)
        try members.encode(manifest, forKey: .manifest)
        try members.encode(state, forKey: .state)
        try members.encodeIfPresent(publishedAt?.rfc3339, forKey: .publishedAt)
        if isPatch { try members.encode(isPatch, forKey: .isPatch) }
        try members.encodeIfPresent(channel, forKey: .channel)
    }
}
