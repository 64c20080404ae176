import Foundation
import SystemPackage

/// The variants of the files of one scan of the content folder.
struct VariantScan: Sendable {
    private struct Read: Sendable {
        let stamp: FileStamp
        let isSettled: Bool
        let variants: [ContentVariant]
        let files: [IndexedFile]
    }

    /// The records by the file's SHA-256.
    private var records: [String: Read] = [:]
    /// The variants' objects, by their own SHA-256.
    private var files: [String: IndexedFile] = [:]

    /// Whether all records stay as they were read for as long as their stamps stay the same.
    var isSettled: Bool { records.values.allSatisfy(\.isSettled) }

    /// An empty scan.
    init() {}

    /// Scans the variants; blocks for as long as the disk takes. Only records that changed are read.
    ///
    /// - Parameter hashes: of the files that are served.
    init(of store: RepositoryFolder, for hashes: some Sequence<String>, after earlier: VariantScan, at date: Date) {
        let folder = VariantFolder(store: store)
        guard (try? store.variants.stat()) != nil else { return }
        for sha256 in hashes where records[sha256] == nil {
            guard let stamp = FileStamp(ofFileAt: folder.path(of: sha256)) else { continue }
            if let known = earlier.records[sha256], known.stamp == stamp, known.isSettled {
                records[sha256] = known
            } else {
                let variants = folder.record(of: sha256).variants
                records[sha256] = Read(
                    stamp: stamp, isSettled: stamp.isSettled(at: date), variants: variants,
                    files: variants.compactMap { Self.file(of: $0, in: store) })
            }
            for file in records[sha256]?.files ?? [] { files[file.sha256] = file }
        }
    }

    /// Whether each file has the same variants as in the other scan.
    func hasSameVariants(as other: VariantScan) -> Bool {
        records.count == other.records.count
            && records.allSatisfy { sha256, read in other.records[sha256]?.variants == read.variants }
    }

    /// The variants of the file with this SHA-256.
    func variants(of sha256: String) -> [ContentVariant] { records[sha256]?.variants ?? [] }

    /// The object of the variant with this SHA-256 of its own.
    func files(sha256: String) -> [IndexedFile] { files[sha256].map { [$0] } ?? [] }

    private static func file(of variant: ContentVariant, in store: RepositoryFolder) -> IndexedFile? {
        let path = store.object(variant.sha256)
        return FileStamp(ofFileAt: path).map {
            IndexedFile(path: variant.sha256, location: path, stamp: $0, sha256: variant.sha256)
        }
    }
}
