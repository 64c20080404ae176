import Content
import Foundation
import InAppPurchase
import ServerHTTP
import StrictJSON

/// A signed statement that a version is the newest one offered, valid for a day: a client that remembers the newest
/// version and time it was told notices when it is shown older ones. It corresponds to the timestamp role of The Update
/// Framework (§5.4).
struct ManifestFreshness: Sendable {
    static let type = "quartermaster-freshness"
    /// In seconds. Longer than a player is offline in a day, and short enough that a withheld update is noticed the
    /// next day.
    static let lifetime: TimeInterval = 86_400
    /// In seconds. After it a new statement is signed; until then all clients share one.
    static let interval: TimeInterval = 60

    private struct Payload: Encodable {
        var bundle: BundleName
        var version: SemanticVersion
        var channel: ReleaseChannel
        var appVersion: String?
        /// The SHA-256 of the manifest's payload.
        var manifest: String
        var at: String
        var expires: String
    }

    /// The JWS in compact serialization.
    let jws: String
    private let signed: SignedManifest
    private let date: Date

    init(_ signed: SignedManifest, for client: BundleClient, by key: ManifestKey, at date: Date) throws {
        let payload = Payload(
            bundle: signed.manifest.bundle, version: signed.manifest.version, channel: client.channel,
            appVersion: client.appVersion, manifest: signed.sha256, at: TimeFormat.wholeSeconds.text(of: date),
            expires: TimeFormat.wholeSeconds.text(of: date.addingTimeInterval(Self.lifetime)))
        self.signed = signed
        self.date = date
        jws = try key.sign(try JSONEncoder.canonical.encode(payload), type: Self.type)
    }

    func serves(_ other: SignedManifest, at now: Date) -> Bool {
        let age = now.timeIntervalSince(date)
        return age >= 0 && age < Self.interval && signed.sha256 == other.sha256 && signed.key == other.key
    }
}
