/// Of what patches are made.
public struct PatchExtent: Hashable, Sendable {
    /// Who skips more updates than this loads changed files whole.
    public static let standardVersions = 3
    /// Each is one more patch of every file that changed.
    public static let maximumVersions = 20
    /// Zstandard's decoders take no larger window unless they are told to.
    public static let maximumFileSize = 128 << 20

    /// From how many versions before a version.
    public var versions: Int
    /// The largest file, older or newer, in bytes. Both are in memory: with tables it is about three times this much.
    public var fileBytes: Int

    public init(versions: Int = standardVersions, fileBytes: Int = maximumFileSize) {
        (self.versions, self.fileBytes) = (versions, fileBytes)
    }

    func includes(_ file: Manifest.File) -> Bool {
        file.size >= VariantMaker.smallestBytes && file.size <= min(fileBytes, Self.maximumFileSize)
    }
}
