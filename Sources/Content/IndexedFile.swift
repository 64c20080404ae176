import SystemPackage

/// A file that was hashed.
struct IndexedFile: Hashable, Sendable {
    /// Relative to the version's folder.
    let path: String
    let location: FilePath
    let stamp: FileStamp
    let sha256: String
}
