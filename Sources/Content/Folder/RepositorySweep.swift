import Foundation
import InAppPurchase
import SystemPackage

/// The files of the content repository that may be removed, while publishing is locked out.
struct RepositorySweep {
    private var objects: [FolderListing.Entry] = []
    private var leftovers: [FolderListing.Entry] = []

    /// - Throws: ``ContentError`` if it cannot be determined which files are needed.
    init(of store: RepositoryFolder, writtenBefore limit: Date) throws(ContentError) {
        var named: Set<String> = []
        let bundles = try FolderListing(of: store.bundles)
        // A bundle that cannot be listed may need any file.
        if let first = bundles.problems.first { throw first.problem }
        for bundle in bundles.entries {
            for record in try RecordFile.all(in: bundle.path) { named.formUnion(record.manifest.files.map(\.sha256)) }
        }
        let variants = VariantFolder(store: store)
        let served = Self.served(of: store, at: limit)
        for sha256 in served { named.formUnion(variants.record(of: sha256).variants.map(\.sha256)) }
        for shelf in try FolderListing(of: store.objects).entries where shelf.status.type == .directory {
            objects += try Self.old(in: shelf.path, limit).filter { !named.contains($0.name) }
        }
        leftovers = try Self.old(in: store.incoming, limit)
        let kept = Set(served.map { variants.path(of: $0) })
        for shelf in try FolderListing(of: store.variants).entries where shelf.status.type == .directory {
            leftovers += try Self.old(in: shelf.path, limit).filter { !kept.contains($0.path) }
        }
    }

    /// The hashes of all files that a server would serve, including those in folders made by hand. If one is missed
    /// here, its variants are removed and have to be made again.
    private static func served(of store: RepositoryFolder, at date: Date) -> some Sequence<String> {
        FolderScan(of: store.content, after: FolderScan(at: date), at: date).index.hashes
    }

    var findings: ContentCollector.Findings {
        ContentCollector.Findings(
            objects: objects.count, leftovers: leftovers.count,
            bytes: (objects + leftovers).reduce(0) { $0.saturatingAdding(FileStamp($1.status).size) })
    }

    func remove() throws {
        for object in objects { try object.path.remove() }
        // An upload that is in progress keeps its file.
        for leftover in leftovers { try leftover.path.removeUnlessLocked() }
    }

    private static func old(in folder: FilePath, _ limit: Date) throws(ContentError) -> [FolderListing.Entry] {
        try FolderListing(of: folder).entries.filter { entry in
            entry.status.type == .regular && FileStamp(entry.status).isWritten(before: limit)
        }
    }
}

extension FileStamp {
    func isWritten(before date: Date) -> Bool {
        Double(seconds) + Double(nanoseconds) / 1e9 <= date.timeIntervalSince1970
    }
}

extension FilePath {
    /// Removes a file, unless a live process has it locked.
    func removeUnlessLocked() throws {
        let file = try FileDescriptor.open(self, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        try file.closeAfter { if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { try remove() } }
    }
}
