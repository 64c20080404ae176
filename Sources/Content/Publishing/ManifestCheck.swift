import Basics
import InAppPurchase

/// Validates a manifest from outside: what ``VersionScan`` refuses on a disk is refused here.
struct ManifestCheck {
    /// The maximum length of a path component, in bytes of UTF-8, as in most file systems.
    static let maximumNameBytes = 255
    /// The maximum length of a path, in bytes of UTF-8: `PATH_MAX` on players' devices.
    static let maximumPathBytes = 1_024
    static let maximumLanguages = 100

    private var sizes: [String: Int] = [:]
    /// The files and folders, by the key under which players' devices take two names for the same.
    private var spellings: [String: (path: String, isFile: Bool)] = [:]

    /// - Throws: ``PublishRefusal``
    static func check(_ manifest: Manifest) throws(PublishRefusal) {
        if let reason = refusal(ofName: manifest.bundle.text) { throw .bundleName(reason) }
        guard manifest.version.description.utf8.count + RepositoryFolder.recordSuffix.utf8.count <= maximumNameBytes
        else { throw .member("the version is too long") }
        try checkAudience(of: manifest)
        var check = ManifestCheck()
        do throws(ContentError) {
            guard !manifest.files.isEmpty else { throw ContentError(manifest.bundle.text, .emptyVersion) }
            guard manifest.files.count <= FolderListing.maximumEntries else {
                throw ContentError(manifest.bundle.text, .tooManyEntries(limit: FolderListing.maximumEntries))
            }
            for file in manifest.files { try check.add(file) }
        } catch {
            throw .content(error)
        }
    }

    static func refusal(ofName name: some StringProtocol) -> ContentError.Reason? {
        if name.isEmpty { return .emptyName }
        if name.utf8.count > maximumNameBytes { return .longName(limit: maximumNameBytes) }
        // Only a bundle's name can contain one; a file's path was split at it.
        if name.contains("/") { return .notAFolder }
        return FolderListing.refusal(of: String(name))
    }

    private static func checkAudience(of manifest: Manifest) throws(PublishRefusal) {
        if let least = manifest.minimumAppVersion, let most = manifest.maximumAppVersion, most < least {
            throw .member("maximumAppVersion is below minimumAppVersion")
        }
        guard manifest.locale.map(\.isLanguageTag) ?? true else {
            throw .member("locale is no language tag, such as en or zh-Hant")
        }
        let languages = manifest.languages
        guard languages.count <= maximumLanguages, languages.allSatisfy(\.isLanguageTag),
            Set(languages.map { $0.lowercased() }).count == languages.count
        else {
            throw .member("languages: at most \(maximumLanguages) language tags, such as en or zh-Hant, each once")
        }
    }

    private mutating func add(_ file: Manifest.File) throws(ContentError) {
        guard file.sha256.isSHA256 else { throw ContentError(file.path, .notASHA256) }
        guard file.size >= 0, sizes.updateValue(file.size, forKey: file.sha256) ?? file.size == file.size else {
            throw ContentError(file.path, .wrongSize)
        }
        guard file.size <= VersionScan.maximumFileBytes else {
            throw ContentError(file.path, .tooLarge(limit: VersionScan.maximumFileBytes))
        }
        guard file.path.utf8.count <= Self.maximumPathBytes else {
            throw ContentError(file.path, .longName(limit: Self.maximumPathBytes))
        }
        let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= VersionScan.maximumDepth + 1 else {
            throw ContentError(file.path, .tooDeep(limit: VersionScan.maximumDepth))
        }
        try add(parts, of: file.path)
    }

    private mutating func add(_ parts: [Substring], of file: String) throws(ContentError) {
        var path = ""
        for (index, part) in parts.enumerated() {
            if let reason = Self.refusal(ofName: part) { throw ContentError(file, reason) }
            path += (path.isEmpty ? "" : "/") + part
            let isFile = index == parts.count - 1
            let earlier = spellings.updateValue((path, isFile), forKey: FolderListing.folded(path))
            // Compared byte by byte: `String` considers two normalizations equal.
            if let earlier, isFile || earlier.isFile || !earlier.path.utf8.elementsEqual(path.utf8) {
                throw ContentError(file, .sameNameAs(earlier.path))
            }
        }
    }
}
