import Content
import Foundation
import InAppPurchase

/// The server's word that a version is the newest it offers, good for a day: a client that remembers the newest version
/// and time it was told sees when it is shown older ones. The Update Framework's timestamp role (§5.4) does the same.
struct ManifestFreshness: Sendable {
    static let type = "quartermaster-freshness"
    /// Longer than a player is offline in a day, short enough that who withholds an update is found out the next day.
    static let lifetime: TimeInterval = 86_400
    /// It is signed anew after this, in seconds; until then the same word serves everybody.
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

    /// In compact form.
    let jws: String
    private let signed: SignedManifest
    private let date: Date

    init(_ signed: SignedManifest, for client: BundleClient, by key: ManifestKey, at date: Date) throws {
        let payload = Payload(
            bundle: signed.manifest.bundle, version: signed.manifest.version, channel: client.channel,
            appVersion: client.appVersion, manifest: signed.sha256, at: date.rfc3339,
            expires: date.addingTimeInterval(Self.lifetime).rfc3339)
        self.signed = signed
        self.date = date
        jws = try key.sign(try CanonicalJSON.encode(payload), type: Self.type)
    }

    func serves(_ other: SignedManifest, at now: Date) -> Bool {
        let age = now.timeIntervalSince(date)
        return age >= 0 && age < Self.interval && signed.sha256 == other.sha256 && signed.key == other.key
    }
}
