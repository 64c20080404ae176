/// Of what patches are made.
package struct PatchExtent: Hashable, Sendable {
    /// Who skips more updates than this loads changed files whole.
    package static let standardVersions = 3
    /// Each is one more patch of every file that changed.
    package static let maximumVersions = 20
    /// Zstandard's decoders take no larger window unless they are told to.
    package static let maximumFileSize = 128 << 20

    /// From how many versions before a version.
    package var versions: Int
    /// The largest file, older or newer, in bytes. Both are in memory: with tables it is about three times this much.
    package var fileBytes: Int

    package init(versions: Int = standardVersions, fileBytes: Int = maximumFileSize) {
        self.versions = versions
        self.fileBytes = fileBytes
    }

    func includes(_ file: Manifest.File) -> Bool {
        file.size >= VariantMaker.smallestBytes && file.size <= min(fileBytes, Self.maximumFileSize)
    }
}
