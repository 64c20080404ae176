import Foundation
import InAppPurchase
import StrictJSON
import SystemPackage

/// Reads version records from files.
enum RecordFile {
    /// The maximum size of a record: a manifest with the maximum number of files, each with the longest path.
    static let maximumBytes = 16 << 20

    /// All records of a bundle, by file name; empty if the folder does not exist.
    ///
    /// - Throws: ``ContentError`` for the first that cannot be read.
    static func all(in folder: FilePath) throws(ContentError) -> [VersionRecord] {
        guard (try? folder.stat()) != nil else { return [] }
        let listing = try FolderListing(of: folder)
        if let first = listing.problems.first { throw first.problem }
        var records: [VersionRecord] = []
        for entry in listing.entries { records.append(try read(entry)) }
        return records
    }

    /// - Throws: ``ContentError`` if the file is not a record, or that of another version or bundle.
    static func read(_ entry: FolderListing.Entry) throws(ContentError) -> VersionRecord {
        guard entry.status.type == .regular else { throw ContentError(entry.path.string, .notAFile) }
        guard entry.status.size <= maximumBytes else {
            throw ContentError(entry.path.string, .tooLarge(limit: maximumBytes))
        }
        let record: VersionRecord
        do {
            let bytes = try Data(contentsOf: URL(filePath: entry.path.string))
            record = try StrictJSON(bytes, .contentRecord).decode(VersionRecord.self)
            try ManifestCheck.check(record.manifest)
        } catch {
            throw ContentError(entry.path.string, .unreadable("it is no record of a version: \(error)"))
        }
        let bundle = entry.path.removingLastComponent().lastComponent?.string
        guard record.manifest.version.description + RepositoryFolder.recordSuffix == entry.name,
            record.manifest.bundle.text == bundle
        else { throw ContentError(entry.path.string, .unreadable("it is the record of another version")) }
        return record
    }
}
