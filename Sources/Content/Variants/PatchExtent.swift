/// Limits the patches that are made.
package struct PatchExtent: Hashable, Sendable {
    /// A player who skips more updates than this downloads changed files whole.
    package static let standardVersions = 3
    /// The maximum: each version is one more patch of every changed file.
    package static let maximumVersions = 20
    /// The maximum file size, in bytes: Zstandard's decoders accept no larger window by default.
    package static let maximumFileSize = 128 << 20

    /// The number of earlier versions from which patches are made.
    package var versions: Int
    /// The largest file, older or newer, in bytes. Both are held in memory: with tables about three times this much.
    package var fileBytes: Int

    package init(versions: Int = standardVersions, fileBytes: Int = maximumFileSize) {
        self.versions = versions
        self.fileBytes = fileBytes
    }

    func includes(_ file: Manifest.File) -> Bool {
        file.size >= VariantMaker.smallestBytes && file.size <= min(fileBytes, Self.maximumFileSize)
    }
}
