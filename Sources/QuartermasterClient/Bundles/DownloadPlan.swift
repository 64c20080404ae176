import Foundation

/// The files to fetch for a version, each whole or as a patch.
struct DownloadPlan: Sendable {
    /// A file that is not here yet.
    struct Item: Sendable {
        let file: SignedManifest.File
        let link: String
        /// The patch that makes it from a file that is here; `nil` if it is fetched whole.
        let patch: ManifestAnswer.Patch?
        /// The bytes of it, or of its patch, that have arrived.
        let present: Int

        /// The bytes that are fetched for it.
        var bytes: Int { patch?.size ?? file.size }
    }

    let items: [Item]

    /// The bytes to fetch, by the hash of the file or patch.
    var fetched: [ContentHash: Int] {
        Dictionary(items.map { ($0.patch?.sha256 ?? $0.file.sha256, $0.bytes) }) { first, _ in first }
    }
    var received: Int { items.reduce(0) { $0 + $1.present } }
    var total: Int { items.reduce(0) { $0 + $1.bytes } }
    /// The free space in bytes that the plan needs, beyond what is here already.
    var space: Int { items.reduce(0) { $0 + $1.file.size + ($1.patch?.size ?? 0) - $1.present } }

    /// Reads the disk, which may take a while.
    ///
    /// - Throws: ``ContentRefusal/link`` if the answer lacks a link, or an error of the file system.
    init(_ checked: CheckedManifest, in folder: BundleFolder, canPatch: Bool) throws {
        var seen: Set<ContentHash> = []
        items = try checked.manifest.files.compactMap { file in
            guard seen.insert(file.sha256).inserted, try !folder.hasObject(file.sha256, size: file.size) else {
                return nil
            }
            guard let link = checked.answer.links[file.sha256] else { throw ContentRefusal.link }
            let present = min(PartialFile.size(of: folder.partial(file.sha256)) ?? 0, file.size)
            let patches = canPatch ? checked.answer.patches[file.sha256] ?? [] : []
            let patch = patches.filter { Self.isUseful($0, below: file.size - present, in: folder) }
                .min { $0.size < $1.size }
            guard let patch else { return Item(file: file, link: link, patch: nil, present: present) }
            let arrived = min(PartialFile.size(of: folder.partial(patch.sha256)) ?? 0, patch.size)
            return Item(file: file, link: link, patch: patch, present: arrived)
        }
    }

    /// The content that has to stay on disk until the version is installed.
    static func content(of checked: CheckedManifest) -> Set<ContentHash> {
        checked.manifest.files.reduce(into: []) { content, file in
            content.insert(file.sha256)
            for patch in checked.answer.patches[file.sha256] ?? [] { content.insert(patch.sha256) }
        }
    }

    private static func isUseful(_ patch: ManifestAnswer.Patch, below bytes: Int, in folder: BundleFolder) -> Bool {
        guard patch.encoding == "zstd-patch", patch.size > 0, patch.size < bytes,
            let base = PartialFile.size(of: folder.object(patch.from))
        else { return false }
        return base <= BundleLimits.patchBaseBytes
    }
}
