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

/// Checks whether files can be stored under their paths, on every device and within their folder.
struct ManifestPaths {
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// Whether all paths are usable: relative, within the limits, none the same as another or its folder where case is
    /// ignored.
    static func areUsable(_ paths: some Sequence<String>) -> Bool {
        var checked = Self()
        return paths.allSatisfy { checked.add($0) }
    }

    private mutating func add(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.utf8.count <= BundleLimits.pathBytes, parts.count <= BundleLimits.pathComponents,
            parts.allSatisfy(Self.isUsable)
        else { return false }
        // Equality of `String` is canonical equivalence; both mappings, since ß and SS are equal only in upper case.
        let folded = parts.map { $0.uppercased().lowercased() }
        var folder = ""
        for part in folded.dropLast() {
            folder += part + "/"
            if files.contains(folder) { return false }
            folders.insert(folder)
        }
        let file = folder + (folded.last ?? "") + "/"
        return !folders.contains(file) && files.insert(file).inserted
    }

    private static func isUsable(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.first != UInt8(ascii: ".") && part.utf8.count <= BundleLimits.nameBytes
            && part.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\\" }
    }
}
