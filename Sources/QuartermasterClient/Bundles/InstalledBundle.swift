public import Foundation

/// An installed version of a bundle. Its files stay on disk until the last copy of the value is gone, also after an
/// update.
public struct InstalledBundle: Sendable {
    /// The name of the bundle.
    public let name: String
    /// The version whose files these are.
    public let version: String
    /// The paths of its files, sorted.
    public let paths: [String]

    private let folder: URL
    private let known: Set<String>
    private let hold: VersionHolds.Hold

    init(_ record: BundleRecord, at folder: URL, hold: VersionHolds.Hold) {
        name = record.bundle
        version = record.version
        paths = record.files.map(\.path).sorted()
        known = Set(paths)
        self.folder = folder
        self.hold = hold
    }

    /// The file of a path, or `nil` if the version has none. It is read-only: versions share it.
    public func url(of path: String) -> URL? { known.contains(path) ? folder.appendingPathComponent(path) : nil }
}
