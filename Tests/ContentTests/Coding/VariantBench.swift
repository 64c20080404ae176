import Foundation
import InAppPurchase
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// A content folder with versions of one bundle, and what is prepared from them.
struct VariantBench {
    let content: TemporaryFolder
    let store: RepositoryFolder

    init() throws {
        content = try TemporaryFolder()
        store = RepositoryFolder(content: FilePath(content.path))
        try store.prepare()
    }

    /// Writes the files into the version's folder.
    @discardableResult
    func add(_ files: [String: Data], as version: String) throws -> Manifest {
        for (path, bytes) in files {
            let url = content.url(of: "words/\(version)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: url)
        }
        return try #require(scan.index.manifest(of: "words", version: SemanticVersion(version)))
    }

    /// Prepares the version with patches from those before it.
    func prepare(
        _ version: String, patchVersions: Int = PatchExtent.standardVersions,
        checkpoint: @escaping () throws -> Void = {}
    ) throws -> ContentPreparation.Summary {
        let index = scan.index
        let manifest = try #require(index.manifest(of: "words", version: SemanticVersion(version)))
        var preparation = ContentPreparation(
            in: store, location: { index.files(sha256: $0).first?.location }, checkpoint: checkpoint)
        try preparation.prepare(
            manifest, among: (index.versions["words"] ?? []).map(\.manifest), PatchExtent(versions: patchVersions))
        return preparation.summary
    }

    func variants(of sha256: String) -> [ContentVariant] { VariantFolder(store: store).record(of: sha256).variants }

    /// The bytes of a variant, as they are stored.
    func bytes(of variant: ContentVariant) throws -> Data {
        try Data(contentsOf: URL(filePath: store.object(variant.sha256).string))
    }

    /// The result of a patch and the older file that it is based on.
    func applied(_ patch: ContentVariant) throws -> Data {
        let older = try scan.index.files(sha256: try #require(patch.from)).first.map {
            try Data(contentsOf: URL(filePath: $0.location.string))
        }
        return try CodingBench(older: try #require(older), newer: Data()).decode(try bytes(of: patch), .patch)
    }

    private var scan: FolderScan {
        let date = TemporaryFolder.later
        return FolderScan(of: FilePath(content.path), after: FolderScan(at: date), at: date)
    }
}
