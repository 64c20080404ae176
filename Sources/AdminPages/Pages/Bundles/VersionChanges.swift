import Content
import ServerCore

/// The files of a version that the one before it did not have, or that it had otherwise.
struct VersionChanges: Sendable {
    /// The removed files that a page names.
    private static let maximumRemoved = 100

    private let manifest: Manifest
    private let before: Manifest?
    private let files: [String: Manifest.File]

    /// - Parameter before: the version before; `nil` if there is none.
    init(of manifest: Manifest, since before: Manifest?) {
        self.manifest = manifest
        self.before = before
        files = Dictionary((before?.files ?? []).map { ($0.path, $0) }) { first, _ in first }
    }

    /// The heading of ``cell(_:)``.
    var title: String { before.map { "Since \($0.version)" } ?? "Before" }

    /// The file of the same path in the version before, if it was another one.
    func old(_ file: Manifest.File) -> Manifest.File? {
        files[file.path].flatMap { $0.sha256 == file.sha256 ? nil : $0 }
    }

    func cell(_ file: Manifest.File) -> Cell {
        guard before != nil else { return Cell("The first version") }
        guard let old = files[file.path] else { return .badge("New", .good) }
        return old.sha256 == file.sha256
            ? Cell("Unchanged") : .badge("Changed", .waiting, note: "was \(old.size.sizeText)")
    }

    /// The files that are gone; `nil` if there are none.
    var removed: Block? {
        let paths = Set(manifest.files.map(\.path))
        let gone = (before?.files ?? []).filter { !paths.contains($0.path) }
        guard let before, !gone.isEmpty else { return nil }
        let more = gone.count > Self.maximumRemoved ? ["and \(gone.count - Self.maximumRemoved) more"] : []
        return Block(
            "Removed since \(before.version)",
            listing: (gone.prefix(Self.maximumRemoved).map { "\($0.path), \($0.size.sizeText)" } + more)
                .joined(separator: "\n"))
    }
}
