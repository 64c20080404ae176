import Basics
import Foundation
import InAppPurchase
import StrictJSON
import SystemPackage

/// The records in `.store/variants/<first two digits>/<sha256>.json`: for each file, the variants that were made or
/// tried. The variants' bytes are objects of the content repository.
///
/// All of it can be made again if it is lost.
struct VariantFolder: Sendable {
    /// The maximum size of a record: patches from some hundreds of older files.
    static let maximumRecordBytes = 256 << 10

    let store: RepositoryFolder

    func path(of sha256: String) -> FilePath { shelf(of: sha256).appending(sha256 + RepositoryFolder.recordSuffix) }

    private func shelf(of sha256: String) -> FilePath { store.variants.appending(String(sha256.prefix(2))) }

    /// The record of the file; an empty one if there is none, or it cannot be read.
    func record(of sha256: String) -> VariantRecord {
        let path = path(of: sha256)
        guard let stamp = FileStamp(ofFileAt: path), stamp.size <= Self.maximumRecordBytes,
            let bytes = try? Data(contentsOf: URL(filePath: path.string)),
            var record = try? StrictJSON(bytes, .contentRecord).decode(VariantRecord.self)
        else { return VariantRecord() }
        let objects = ObjectFolder(store: store)
        record.retain { $0.sha256.isSHA256 && objects.has($0.sha256, size: $0.size) }
        return record
    }

    /// Replaces the record by an atomic write.
    func write(_ record: VariantRecord, of sha256: String) throws {
        let bytes = try JSONEncoder.canonical.encode(record)
        try shelf(of: sha256).createFolder()
        try TemporaryFile.write(in: store.incoming, permissions: .everybodyReads, to: path(of: sha256)) {
            try $0.writeAll(bytes)
        }
    }

    /// Stores the bytes of a variant as an object.
    ///
    /// - Parameter make: writes them into an empty file; returns `nil` if there is nothing to store.
    func add(_ make: (FileDescriptor) throws -> ContentVariant?) throws -> ContentVariant? {
        var made: ContentVariant?
        try TemporaryFile.write(in: store.incoming, permissions: .nobodyWrites) { file in
            made = try make(file)
            guard let made else { return nil }
            try store.shelf(of: made.sha256).createFolder()
            return store.object(made.sha256)
        }
        return made
    }
}

/// The stored record of one file's variants.
struct VariantRecord: Hashable, Codable, Sendable {
    /// The variants, in the order they were made.
    private(set) var variants: [ContentVariant] = []
    /// The ways that were tried and did not make the file small enough.
    private(set) var declined: Set<VariantWay> = []

    /// Whether the way was tried before.
    func contains(_ way: VariantWay) -> Bool {
        if declined.contains(way) { return true }
        switch way {
        case .gzip: return variants.contains { $0.encoding == .gzip }
        case .zstd: return variants.contains { $0.encoding == .zstd }
        case .patch(let base): return variants.contains { $0.encoding == .patch && $0.from == base }
        }
    }

    /// - Parameter made: empty if the result was not small enough.
    mutating func add(_ made: [ContentVariant], by way: VariantWay) {
        variants += made
        if made.isEmpty { declined.insert(way) }
    }

    /// Drops variants whose objects are missing, so that they are made again.
    mutating func retain(where isThere: (ContentVariant) -> Bool) { variants.removeAll { !isThere($0) } }
}
