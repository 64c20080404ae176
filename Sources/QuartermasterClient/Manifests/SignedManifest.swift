import Foundation

/// The files of a version, as the server signed them. Every number and path in it has been checked.
struct SignedManifest: Sendable {
    /// One file.
    struct File: Sendable, Equatable, Codable {
        /// The path relative to the version's folder.
        let path: String
        /// The size in bytes.
        let size: Int
        let sha256: ContentHash
    }

    private struct Payload: Decodable {
        let bundle: String
        let version: String
        let files: [File]
    }

    let bundle: String
    let version: BundleVersion
    let files: [File]
    /// The hash of the payload: the statement of freshness names it, and the confirmation of a delivery.
    let sha256: ContentHash

    /// - Parameter payload: the payload, whose signature was checked.
    /// - Throws: ``DownloadError/unusableManifest``.
    init(_ payload: Data) throws(DownloadError) {
        guard let content = try? JSONDecoder().decode(Payload.self, from: payload),
            let version = BundleVersion(content.version), Self.areUsable(content.files)
        else { throw .unusableManifest }
        bundle = content.bundle
        self.version = version
        files = content.files
        sha256 = ContentHash(of: payload)
    }

    private static func areUsable(_ files: [File]) -> Bool {
        guard !files.isEmpty, files.count <= BundleLimits.files else { return false }
        var total = 0
        var sizes: [ContentHash: Int] = [:]
        for file in files {
            guard (0...BundleLimits.fileBytes).contains(file.size), total <= BundleLimits.versionBytes - file.size,
                sizes.updateValue(file.size, forKey: file.sha256) ?? file.size == file.size
            else { return false }
            total += file.size
        }
        return ManifestPaths.areUsable(files.lazy.map(\.path))
    }
}
