import SystemPackage

/// A file with its stamp and hash.
struct IndexedFile: Hashable, Sendable {
    /// The path relative to the version's folder.
    let path: String
    let location: FilePath
    let stamp: FileStamp
    let sha256: String
}
