import Foundation

/// The server's statement that a version is the newest that it offers. Its signature was checked.
struct FreshStatement: Sendable {
    /// The version that it is compared with.
    struct Subject: Sendable {
        let bundle: String
        let version: BundleVersion
        /// The SHA-256 of the manifest's payload.
        let manifest: ContentHash
        /// The app version that was sent with the request.
        let appVersion: String?
    }

    private struct Payload: Decodable {
        let bundle: String
        let version: String
        let appVersion: String?
        let manifest: String
        let at: String
        let expires: String
    }

    private let payload: Payload
    private let at: Date
    private let expires: Date

    /// - Throws: ``DownloadError/unusableManifest``.
    init(_ bytes: Data) throws(DownloadError) {
        guard let payload = try? JSONDecoder().decode(Payload.self, from: bytes), let at = WireTime(payload.at),
            let expires = WireTime(payload.expires)
        else { throw .unusableManifest }
        self.payload = payload
        self.at = at.date
        self.expires = expires.date
    }

    /// Accepts the statement, unless it is about something else or older than one that was accepted before.
    ///
    /// - Parameters:
    ///   - remembered: what was accepted last.
    ///   - now: the time.
    /// - Returns: what is remembered from now on.
    /// - Throws: ``DownloadError/signature`` if it is about something else, ``DownloadError/stale``, or
    ///   ``DownloadError/rollback``.
    func accepted(
        for subject: Subject, after remembered: RememberedVersion?, now: Date
    ) throws(DownloadError) -> RememberedVersion {
        guard payload.bundle == subject.bundle, payload.version == subject.version.text,
            payload.manifest == subject.manifest.text, payload.appVersion == subject.appVersion
        else { throw .signature }
        guard now < expires else { throw .stale }
        guard let remembered, at <= remembered.at else {
            // A lower version with a later time is genuine: the operator withdrew the higher one.
            return RememberedVersion(version: payload.version, at: at)
        }
        guard remembered.at.timeIntervalSince(at) <= BundleLimits.statementSpread,
            !Self.isBelow(subject.version, remembered.version)
        else { throw .rollback }
        return RememberedVersion(version: payload.version, at: remembered.at)
    }

    /// Whether the version is below one that was stored.
    static func isBelow(_ version: BundleVersion, _ stored: String) -> Bool {
        BundleVersion(stored).map(version.isBelow) ?? false
    }
}

/// The version of a bundle, which may be part of a folder's name.
struct BundleVersion: Sendable {
    let text: String
    private let precedence: SemanticVersion

    /// `nil` if the string is not a semantic version, or too long.
    init?(_ text: String) {
        guard text.utf8.count <= BundleLimits.versionNameBytes, text.utf8.allSatisfy(Self.isAllowed),
            let precedence = SemanticVersion(text)
        else { return nil }
        self.text = text
        self.precedence = precedence
    }

    /// Whether it precedes the other one. Build metadata does not count.
    func isBelow(_ other: Self) -> Bool { precedence < other.precedence }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// The newest version of a bundle that the server stated, by which an older statement is detected.
struct RememberedVersion: Sendable, Equatable, Codable {
    /// The version that was the newest.
    let version: String
    /// The time of the newest statement.
    let at: Date
}
